/** Whether a person can rotate a token. Rotating shows a working secret, so it needs the same rights as creating it. */
import type { Token } from '@meshwork/contract';

type MayRotate = { readonly yes: true } | { readonly yes: false; readonly why: string };

const no = (why: string): MayRotate => ({ yes: false, why });

export function mayRotate(token: Token, permissions: readonly string[]): MayRotate {
  if (!permissions.includes('tokens:rotate')) return no('Your role does not allow rotating tokens.');
  if (token.state === 'used_up') return no('All its uses are spent. Create a new token instead.');
  if (token.state !== 'active') return no(`It is ${token.state}. Only active tokens can be rotated.`);
  if (token.on_behalf_of !== null) {
    return no(`It belongs to the session of ${token.on_behalf_of.name}. The panel renews it automatically.`);
  }
  if (token.role === 'panel') return no('It is the panel’s own token. The panel rotates it automatically.');
  const lacking = token.permissions.filter((one) => !permissions.includes(one));
  if (lacking.length === 0) return { yes: true };
  return no(`It has permissions that you do not have (${lacking.join(', ')}), and rotating would show you its secret.`);
}
