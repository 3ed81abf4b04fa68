import type { Scope } from '@meshwork/contract';
import { Failure } from '../../failure.ts';

export interface ScopeFlags {
  readonly team?: string;
  readonly surface?: string;
  readonly environment?: string;
}

/** All three or none: a boundary that was said by half is more often a slip than meant as "all of the rest". */
export function scopeOf({ team, surface, environment }: ScopeFlags): Scope | undefined {
  if (team === undefined && surface === undefined && environment === undefined) return undefined;
  if (team !== undefined && surface !== undefined && environment !== undefined) return { team, surface, environment };
  const message = '--team, --surface and --environment belong together; "*" is for all';
  throw new Failure(message, { exit: 'usage', code: 'usage' });
}
