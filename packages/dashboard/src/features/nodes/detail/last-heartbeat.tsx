import type { Node } from '@meshwork/contract';
import { Ago } from '../../../ui/moment.tsx';

/**
 * The last heartbeat of a node. One that is not overdue only says so: its last heartbeat is newer than what was
 * read, and an event reports the moment it becomes stale.
 */
export function LastHeartbeat({ node }: { readonly node: Pick<Node, 'state' | 'heartbeat'> }) {
  const { state, heartbeat } = node;
  if (heartbeat === null) return <>Never</>;
  if (state === 'active' || state === 'draining') return <>On time</>;
  return <Ago at={heartbeat} />;
}
