import type { Scope } from '@meshwork/contract';

/** The id of the documents about a network within a boundary: who forwards to it, and whether it overlaps another one. */
export function routeId({ team, surface, environment }: Scope, cidr: string): string {
  return `${team}/${surface}/${environment} ${cidr}`;
}
