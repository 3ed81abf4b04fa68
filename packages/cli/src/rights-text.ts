import type { Scope } from '@meshwork/contract';

/** In the order that the flags have: team, surface, environment. */
export function scopeText(scope: Scope): string {
  return `${scope.team} / ${scope.surface} / ${scope.environment}`;
}

/** Permissions are many; an area a line keeps them readable. */
export function permissionFields(permissions: readonly string[]): [string, string][] {
  const areas = Map.groupBy(permissions, (permission) => permission.split(':')[0] ?? permission);
  const lines = [...areas].map(([area, all]) => `${area}: ${all.map((one) => one.slice(area.length + 1)).join(', ')}`);
  return lines.map((line, index) => [index === 0 ? 'may' : '', line]);
}
