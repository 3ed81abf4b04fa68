import type { PolicyNode } from '../policy-node.ts';

type Boundary = PolicyNode['boundary'];

/** Whether a caller may take what has an owner. */
export type Ruling =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Scopes whose tokens may, beside those of the whole mesh. */
      readonly owners: readonly Boundary[];
      /** For the caller: what was refused, and who may. Names no group and no grant: not everybody may read the policy. */
      readonly detail: string;
    };

export const ALLOWED: Ruling = Object.freeze({ allowed: true });

const OWNERS_NAMED = 5;

export function refused(detail: string, owners: readonly Boundary[] = []): Ruling {
  return { allowed: false, owners, detail };
}

/** `The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.` */
export function refusedByEntry(owners: readonly Boundary[], what: string, table: string): Ruling {
  if (owners.length === 0) return refused(`${what} by a mesh-wide token only (${table}).`);
  return refused(`${what} by ${ownersText(owners)} (${table}) or by a mesh-wide token.`, owners);
}

function ownersText(owners: readonly Boundary[]): string {
  const named = [...new Set(owners.map(scopeWords))];
  const rest = named.length - OWNERS_NAMED;
  return `${named.slice(0, OWNERS_NAMED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** `team beta`, `environment production`, or the whole scope where more than one part is given: `beta/git/*`. */
export function scopeWords({ team, surface, environment }: Boundary): string {
  const given = Object.entries({ team, surface, environment }).filter(([, part]) => part !== '*');
  const [only] = given;
  if (only === undefined) return 'any token';
  return given.length === 1 ? only.join(' ') : `scope ${team}/${surface}/${environment}`;
}
