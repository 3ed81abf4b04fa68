import type { Scope } from './scope.ts';

/** The tags that say which boundary a node belongs to, by the member of a scope that they answer to. */
export const BOUNDARY_TAGS = { team: 'team:', surface: 'surface:', environment: 'env:' } as const satisfies Record<
  keyof Scope,
  string
>;
export const BOUNDARY_MEMBERS = Object.keys(BOUNDARY_TAGS) as readonly (keyof Scope)[];

/**
 * Where a node lies. A member it has no tag for is `*`, which only `*` covers: a node that belongs to no team is seen by
 * those who see every team.
 */
export function boundaryOf(tags: readonly string[]): Scope {
  return {
    team: tagValue(tags, 'team'),
    surface: tagValue(tags, 'surface'),
    environment: tagValue(tags, 'environment'),
  };
}

function tagValue(tags: readonly string[], member: keyof Scope): string {
  const prefix = BOUNDARY_TAGS[member];
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? '*';
}

export const WHOLE_MESH: Scope = Object.freeze({ team: '*', surface: '*', environment: '*' });

/** Whether everything inside `inner` also lies inside `outer`. */
export function covers(outer: Scope, inner: Scope): boolean {
  return (
    (outer.team === '*' || outer.team === inner.team) &&
    (outer.surface === '*' || outer.surface === inner.surface) &&
    (outer.environment === '*' || outer.environment === inner.environment)
  );
}

export function isWholeMesh(scope: Scope): boolean {
  return scope.team === '*' && scope.surface === '*' && scope.environment === '*';
}
