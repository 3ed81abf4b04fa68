/** What every ask has in common once the coordinator has taken it: it is said, and whatever shows it is read anew. */
import type { NodeOperation } from '@meshwork/contract';
import { KIND_WORDS } from '../operations/operation-words.ts';

export const ASKED_FOR = {
  done: ({ kind, node_name }: NodeOperation) => `${KIND_WORDS[kind]} of ${node_name}: requested`,
  touches: ['operations', 'overview', 'audit', 'peers'],
};
