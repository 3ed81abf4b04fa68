/** Tokens in the order in which one looks for them: those that still work first, the newest first among them. */
import type { Token } from '@meshwork/contract';

/**
 * Ours: as many as come in one page. A longer list stays as the coordinator has it, oldest first, because it must not change
 * while scrolling when its last page arrives.
 */
const AT_ONCE = 200;

export function inOrder(tokens: readonly Token[]): readonly Token[] {
  if (tokens.length > AT_ONCE) return tokens;
  return tokens.toReversed().toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)));
}

function isOver({ state }: Token): boolean {
  return state === 'expired' || state === 'revoked' || state === 'used_up';
}
