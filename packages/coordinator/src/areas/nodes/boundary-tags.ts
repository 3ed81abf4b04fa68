import {
  BOUNDARY_MEMBERS,
  BOUNDARY_TAGS,
  boundaryOf,
  covers,
  invalid,
  MAX_TAGS,
  MeshError,
  type Scope,
} from '@meshwork/contract';

/**
 * The tags of a node as they will be: those requested, and those that the caller's own scope stamps on it. No caller
 * can put a node outside its own boundary.
 */
export function stampedTags(asked: readonly string[], scope: Scope): string[] {
  ensureOneOfEach(asked);
  const tags = new Set(asked);
  for (const member of BOUNDARY_MEMBERS) {
    const prefix = BOUNDARY_TAGS[member];
    const claimed = asked.find((tag) => tag.startsWith(prefix));
    if (claimed === undefined && scope[member] !== '*') tags.add(`${prefix}${scope[member]}`);
  }
  const stamped = [...tags].sort();
  if (stamped.length > MAX_TAGS) {
    throw invalid('/tags', `must have at most ${MAX_TAGS} with those of the caller's own scope, not ${stamped.length}`);
  }
  const boundary = boundaryOf(stamped);
  if (covers(scope, boundary)) return stamped;
  const outside = BOUNDARY_MEMBERS.filter((member) => scope[member] !== '*' && scope[member] !== boundary[member]);
  throw new MeshError(
    'exceeds_own_rights',
    `The scope of the caller allows only ${outside.map((member) => `"${BOUNDARY_TAGS[member]}${scope[member]}"`).join(' and ')}.`,
  );
}

function ensureOneOfEach(tags: readonly string[]): void {
  for (const prefix of Object.values(BOUNDARY_TAGS)) {
    const some = tags.filter((tag) => tag.startsWith(prefix));
    if (some.length > 1) throw invalid('/tags', `must have one ${prefix} tag at most, not ${some.join(' and ')}`);
    if (some[0] === prefix) throw invalid('/tags', `"${prefix}" needs a value`);
  }
}
