/** What every accepted operation has in common: a notification, and what it makes stale. */
import type { NodeOperation } from '@meshwork/contract';
import { KIND_WORDS } from '../operations/operation-words.ts';

export const ASKED_FOR = {
  done: ({ kind, node_name }: NodeOperation) => `${KIND_WORDS[kind]} of ${node_name}: requested`,
  touches: ['operations', 'overview', 'audit', 'peers'],
};
