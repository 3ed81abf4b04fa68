import type { Stored, View } from '../mesh/model.ts';

/**
 * The token that counts the nodes another one may still enrol: the last one that it was rotated to. While a rotated token
 * retires, both secrets work, and share one number.
 */
export function usesOf(view: View, token: Stored<'token'>): Stored<'token'> {
  const { rotated_to } = token.body;
  const successor = rotated_to === null ? undefined : view.get('token', rotated_to);
  return successor === undefined ? token : usesOf(view, successor);
}
