import type { Node } from '@meshwork/contract';
import { Ago } from '../../ui/moment.tsx';

/**
 * When a node was last heard of. Of one that is not overdue only that is said: its last heartbeat is newer than what was
 * read, and the moment it falls silent an event says so.
 */
export function Heard({ node }: { readonly node: Pick<Node, 'state' | 'heartbeat'> }) {
  const { state, heartbeat } = node;
  if (heartbeat === null) return <>Never</>;
  if (state === 'active' || state === 'draining') return <>On time</>;
  return <Ago at={heartbeat} />;
}
