import type { PolicyNode } from '../policy-node.ts';

type Boundary = PolicyNode['boundary'];

/** Whether a caller may take what has an owner. */
export type Ruling =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Scopes whose tokens may, beside those of the whole mesh. */
      readonly owners: readonly Boundary[];
      /** Where the policy says so, or could say otherwise. */
      readonly entry: Entry;
      /** For the caller: what was refused, and who may. Names no group and no grant: the caller may not be allowed to read the policy. */
      readonly detail: string;
    };

export interface Entry {
  readonly table: 'tag_owners' | 'domain_owners';
  /** Such as `tag:role:dba`. */
  readonly key: string;
  /** False: there is no such entry, and what holds without one decided. */
  readonly written: boolean;
}

export const ALLOWED: Ruling = Object.freeze({ allowed: true });

const OWNERS_NAMED = 5;

export function refused(entry: Entry, detail: string, owners: readonly Boundary[] = []): Ruling {
  return { allowed: false, owners, entry, detail };
}

/** `The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.` */
export function refusedByEntry(entry: Entry, owners: readonly Boundary[], what: string): Ruling {
  const { table } = entry;
  if (owners.length === 0) return refused(entry, `${what} by a mesh-wide token only (${table}).`);
  return refused(entry, `${what} by ${ownersText(owners)} (${table}) or by a mesh-wide token.`, owners);
}

export function ownersText(owners: readonly Boundary[]): string {
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
