/** What is wrong with a tag or a list of them, said while they are typed. The coordinator has the last word. */
import { BOUNDARY_TAGS, MAX_TAGS } from '@meshwork/contract/vocabulary';

/** As the contract has it, which the test makes sure of: its schemas are too much for a page to load. */
export const TAG = /^[a-z0-9][a-z0-9._-]{0,62}(?::[a-z0-9][a-z0-9._-]{0,62})?$/;

export function tagProblem(tags: readonly string[]): string | null {
  const wrong = tags.find((tag) => !TAG.test(tag));
  if (wrong !== undefined) {
    return `“${wrong}” is not a valid tag. Use lowercase letters, digits, dots, dashes and underscores, such as role:git.`;
  }
  for (const prefix of Object.values(BOUNDARY_TAGS)) {
    const some = tags.filter((tag) => tag.startsWith(prefix));
    if (some.length > 1) return `A node can have only one ${prefix} tag, not ${some.join(' and ')}.`;
  }
  return tags.length > MAX_TAGS ? `A node can have at most ${MAX_TAGS} tags, not ${tags.length}.` : null;
}

/** Those that do not say which boundary a node belongs to. */
export function ownTags(tags: readonly string[]): string[] {
  return tags.filter((tag) => Object.values(BOUNDARY_TAGS).every((prefix) => !tag.startsWith(prefix)));
}

/** Whether a change of tags moves the node to another boundary, where others may see and touch it. */
export function movesBoundary(before: readonly string[], after: readonly string[]): boolean {
  return Object.values(BOUNDARY_TAGS).some(
    (prefix) => before.find((tag) => tag.startsWith(prefix)) !== after.find((tag) => tag.startsWith(prefix)),
  );
}
