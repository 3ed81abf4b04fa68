import { isDeepStrictEqual } from 'node:util';
import { boundaryOf } from '@meshwork/contract';
import type { Stored } from './model.ts';
import { boundaryOfNode } from './node-state.ts';
import type { Transaction } from './transaction.ts';

/** Those where the node is now hear of its tags; those it has left hear that it left, and not where it went. */
export function tellOfTags(tx: Transaction, before: Stored<'node'>, tags: readonly string[]): void {
  const { name } = before.body;
  const subject = { kind: 'node', id: before.id } as const;
  const [from, to] = [boundaryOfNode(before.body), boundaryOf(tags)];
  if (!isDeepStrictEqual(from, to)) tx.emit({ type: 'node.left', subject, scope: from, data: { name } });
  tx.emit({ type: 'node.retagged', subject, scope: to, data: { name, tags: [...tags] } });
}
