import { covers, type Scope } from '@meshwork/contract';
import type { Stored } from './model.ts';

/** As many as a refusal names. */
const NAMED = 5;

/** Ingresses that hold something, as a refusal begins with them: `The ingress "shop" and 2 more`. Those outside of a scope are only counted. */
export function ingressesInWords(users: readonly Stored<'ingress'>[], scope: Scope): string {
  const visible = users.filter(({ body }) => covers(scope, body.scope)).slice(0, NAMED);
  const names = visible.map(({ body }) => `"${body.name}"`).join(', ');
  const others = users.length - visible.length;
  return [
    ...(visible.length === 0 ? [] : [`The ${visible.length === 1 ? 'ingress' : 'ingresses'} ${names}`]),
    ...(others === 0 ? [] : [`${others} ${visible.length === 0 ? 'outside the scope of the caller' : 'more'}`]),
  ].join(' and ');
}
