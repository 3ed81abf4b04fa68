import type { PolicyDocument } from '../document/document.ts';
import { parseOwnedKey } from '../document/owned.ts';
import { parseTarget } from '../document/target.ts';
import { selectorsOf } from '../engine/membership.ts';

/** Names of nodes that the policy mentions: in groups, in tests and among what has owners. */
export function mentionedNames(document: PolicyDocument): ReadonlySet<string> {
  const names = new Set<string>();
  for (const selectors of selectorsOf(document).values()) {
    for (const selector of selectors) if (selector.kind === 'node') names.add(selector.name);
  }
  for (const { from, allow, deny } of document.tests) {
    if (!from.startsWith('group:')) names.add(from);
    for (const text of [...allow, ...deny]) {
      const target = parseTarget(text);
      if (target?.kind === 'node') names.add(target.name);
    }
  }
  for (const key of Object.keys(document.tag_owners ?? {})) {
    const owned = parseOwnedKey(key);
    if (owned?.kind === 'node') names.add(owned.name);
  }
  return names;
}
