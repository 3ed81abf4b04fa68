/** Whether somebody can rotate a token: who does gets to see a working secret, so it takes as much as creating it. */
import type { Token } from '@meshwork/contract';

export type MayRotate = { readonly yes: true } | { readonly yes: false; readonly why: string };

const no = (why: string): MayRotate => ({ yes: false, why });

export function mayRotate(token: Token, permissions: readonly string[]): MayRotate {
  if (!permissions.includes('tokens:rotate')) return no('Your role does not allow rotating tokens.');
  if (token.state === 'used_up') return no('It has enrolled all the nodes it was made for. Create a new one instead.');
  if (token.state !== 'active') return no(`It is ${token.state}; only an active token can be rotated.`);
  if (token.on_behalf_of !== null) {
    return no(`It speaks for ${token.on_behalf_of.name}, who is signed in; the panel makes a new one by itself.`);
  }
  if (token.role === 'panel') return no('It is the panel’s own, which the panel rotates by itself.');
  const lacking = token.permissions.filter((one) => !permissions.includes(one));
  if (lacking.length === 0) return { yes: true };
  return no(`It may do what you may not (${lacking.join(', ')}), and rotating would show you its secret.`);
}
