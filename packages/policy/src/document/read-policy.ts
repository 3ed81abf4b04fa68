/**
 * The language of policies, and where to start reading it. A text goes through `text-guard.ts` and `parse-text.ts`; then
 * `read-groups.ts`, `read-grants.ts`, `read-tests.ts` and `read-owners.ts` make of its values what `document.ts` describes, and
 * report all that is wrong to `problems.ts`. What a string can hold has a file of its own: `selector.ts`, `allow.ts`, `target.ts`,
 * `version.ts`; networks are those of `@meshwork/addresses`. `fixtures/documents/` holds a case of every rule and of every problem.
 */
import type { PolicyDocument } from './document.ts';
import { parseText } from './parse-text.ts';
import { type PolicyProblem, Problems, quote } from './problems.ts';
import { readGrants } from './read-grants.ts';
import { readGroups } from './read-groups.ts';
import { readDomainOwners, readTagOwners } from './read-owners.ts';
import { readTests } from './read-tests.ts';
import { readKnown, readText, type Value, valueAt } from './values.ts';

export type PolicyReading =
  | { readonly ok: true; readonly document: PolicyDocument }
  | {
      readonly ok: false;
      /** In the order of the text. */
      readonly problems: readonly PolicyProblem[];
      /** How many more there are than these. */
      readonly more: number;
    };

const POLICY = {
  thing: 'A policy',
  expected: 'A policy is an object, such as {"groups": {"everyone": ["*"]}, "grants": []}',
  known: ['groups', 'grants', 'tests', 'stale', 'tag_owners', 'domain_owners'],
} as const;

/** Reads JSON with comments, from any source: every text is either a policy, or all that is wrong with it. */
export function readPolicy(text: string): PolicyReading {
  // Editors on Windows begin a file with a mark that they do not show and that has no column.
  const parsed = parseText(text.startsWith('\ufeff') ? text.slice(1) : text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem], more: 0 };
  const problems = new Problems();
  const document = readDocument(valueAt(parsed.root.body, ''), problems);
  if (problems.count === 0) return { ok: true, document };
  return { ok: false, problems: problems.kept, more: problems.more };
}

/** Everything that could be read. Valid only when no problem was reported. */
function readDocument(value: Value, problems: Problems): PolicyDocument {
  const members = readKnown(value, POLICY, problems);
  const groups = readGroups(members?.get('groups'), problems);
  const named = { groups, problems };
  const tag_owners = readTagOwners(members?.get('tag_owners'), named);
  const domain_owners = readDomainOwners(members?.get('domain_owners'), named);
  return {
    groups: withoutPrototype(groups),
    grants: readGrants(members?.get('grants'), named),
    tests: readTests(members?.get('tests'), named),
    stale: readStale(members?.get('stale'), problems),
    ...(tag_owners !== undefined && { tag_owners: withoutPrototype(tag_owners) }),
    ...(domain_owners !== undefined && { domain_owners: withoutPrototype(domain_owners) }),
  };
}

function readStale(value: Value | undefined, problems: Problems): 'keep' | 'drop' {
  if (value === undefined) return 'keep';
  const text = readText(value, '"stale" is "keep" or "drop"', problems);
  if (text === 'keep' || text === 'drop') return text;
  if (text !== undefined) {
    problems.report(
      value,
      () =>
        `"stale" cannot be ${quote(text)}. Write "keep", so that peers keep a node whose heartbeat is overdue, or "drop".`,
    );
  }
  return 'keep';
}

/** So that a group may be called `constructor`, and no group exists that is not in the document. */
function withoutPrototype(groups: ReadonlyMap<string, readonly string[]>): PolicyDocument['groups'] {
  const record: Record<string, readonly string[]> = Object.create(null);
  for (const [name, selectors] of groups) record[name] = selectors;
  return record;
}
