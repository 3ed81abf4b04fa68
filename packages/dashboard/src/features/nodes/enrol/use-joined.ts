import type { Node } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { useEvents } from '../../../live/live.tsx';
import type { Prepared } from './enrol-form.tsx';

export interface Joined {
  readonly id: string;
  /** Undefined: it is being read. */
  readonly node: Node | undefined;
}

/** The clock of the coordinator may be a little behind that of the browser. */
const CLOCKS_APART_MS = 60_000;

/** Null: it has not come yet. The stream of events tells; nothing is asked twice. */
export function useJoined({ name, at_ms }: Prepared): Joined | null {
  const joined = useEvents().find(
    ({ type, data, at }) => type === 'node.joined' && data.name === name && Date.parse(at) > at_ms - CLOCKS_APART_MS,
  );
  const id = joined?.subject.id;
  const node = useRead('nodes.show', { params: { id: id ?? '' } }, { enabled: id !== undefined }).data?.body;
  return id === undefined ? null : { id, node };
}
