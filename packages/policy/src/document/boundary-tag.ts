import type { PolicyNode } from '../policy-node.ts';

type Boundary = PolicyNode['boundary'];

/** The contract has the same table (`BOUNDARY_TAGS`); a test of the coordinator compares the two. */
export const BOUNDARY_PREFIXES = { team: 'team:', surface: 'surface:', environment: 'env:' } as const;

/** The scope that a boundary tag stands for: such as every node of team beta for `team:beta`. Undefined: it is another tag. */
export function boundaryTagScope(tag: string): Boundary | undefined {
  for (const [member, prefix] of Object.entries(BOUNDARY_PREFIXES)) {
    if (tag.startsWith(prefix)) {
      return { team: '*', surface: '*', environment: '*', [member]: tag.slice(prefix.length) };
    }
  }
  return undefined;
}
