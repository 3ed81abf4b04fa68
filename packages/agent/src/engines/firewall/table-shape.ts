/** What a compiled table must look like once it is loaded, as far as its own text tells without knowing nftables. */
import type { TableListing } from './table-listing.ts';

interface TableShape {
  /** `counter denied_in`, `set on_any4`, `chain input` … */
  readonly things: ReadonlySet<string>;
  readonly chains: ReadonlyMap<string, ChainShape>;
  /** By set, the fixed part of its listing. */
  readonly sets: ReadonlyMap<string, SetShape>;
}

interface ChainShape {
  readonly hook: string;
  /** For each rule, what its listing must mention. */
  readonly rules: readonly (readonly string[])[];
}

interface SetShape {
  readonly type: readonly string[];
  readonly flags: readonly string[];
}

const PRIORITIES: Readonly<Record<string, number>> = { filter: 0, srcnat: 100 };

/** Reads the text of `compileNode` without elements, which has one thing a line. */
export function shapeOf(structure: string): TableShape {
  const things = new Set<string>();
  const chains = new Map<string, ChainShape>();
  const sets = new Map<string, SetShape>();
  for (const [, kind = '', name = '', body = ''] of structure.matchAll(
    /^ {2}(\w+) (\w+) \{\n((?: {4}.*\n)*) {2}\}$/gm,
  )) {
    things.add(`${kind} ${name}`);
    const lines = body.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    if (kind === 'chain') {
      const isHook = (line: string) => line.includes(' hook ');
      const rules = lines.filter((line) => !isHook(line)).map(mentionsOf);
      chains.set(name, { hook: lines.filter(isHook).map(numbered).join(' '), rules });
    }
    if (kind === 'set') sets.set(name, { type: wordsAfter('type ', lines), flags: wordsAfter('flags ', lines) });
  }
  return { things, chains, sets };
}

function numbered(hook: string): string {
  return hook.replace(/priority (\w+);/, (_, name: string) => `priority ${PRIORITIES[name] ?? name};`);
}

/** Sets, names and verdicts: what every release of nftables lists as it was written. */
function mentionsOf(rule: string): readonly string[] {
  return [...rule.matchAll(/@\w+|"([^"]*)"|(jump|goto) (\w+)|(accept|drop|return|masquerade)\b/g)].map(
    ([whole, quoted, jump, target, verdict]) => {
      if (quoted !== undefined) return JSON.stringify(quoted);
      if (jump !== undefined) return `"${jump}":{"target":"${target}"}`;
      return verdict === undefined ? JSON.stringify(whole) : `"${verdict}":`;
    },
  );
}

function wordsAfter(start: string, lines: readonly string[]): readonly string[] {
  return lines.filter((line) => line.startsWith(start)).flatMap((line) => line.slice(start.length).split(/ \. |, /));
}

/**
 * How a listing differs from it, in words. Rules are known by their number, by what they mention, and by their handles:
 * the kernel gives these out in ascending order, so a rule that came after the table was loaded stands out of line.
 */
export function shapeProblems({ things, chains, sets }: TableShape, listing: TableListing): readonly string[] {
  return [
    ...[...things].filter((name) => !listing.things.has(name)).map((name) => `${name} is not there`),
    ...[...listing.things.keys()].filter((name) => !things.has(name)).map((name) => `${name} should not be there`),
    ...[...chains].flatMap(([name, { hook, rules }]) => {
      const seen = listing.chains.get(name);
      if (seen === undefined) return [];
      if (seen.hook !== hook) return [`chain ${name} is hooked otherwise`];
      if (seen.rules.length !== rules.length) {
        return [`chain ${name} has ${seen.rules.length} rules instead of ${rules.length}`];
      }
      const isRight = seen.rules.every(({ text }, index) => rules[index]?.every((mention) => text.includes(mention)));
      return isRight ? [] : [`chain ${name} has other rules`];
    }),
    ...[...sets]
      .filter(([name, shape]) => !isSet(shape, listing.things.get(`set ${name}`)))
      .map(([name]) => `set ${name} is of another kind`),
    ...(hasLaterRules(listing) ? ['rules came after the table was loaded'] : []),
  ];
}

function isSet({ type, flags }: SetShape, listed: string | undefined): boolean {
  if (listed === undefined) return true;
  const seen = JSON.parse(listed) as { readonly type: string | readonly string[]; readonly flags?: readonly string[] };
  const { type: seenType, flags: seenFlags = [] } = seen;
  return [seenType].flat().join() === type.join() && seenFlags.toSorted().join() === flags.toSorted().join();
}

/** Chains are filled one after the other, whatever order they are listed in: their handles do not mix. */
function hasLaterRules({ chains }: TableListing): boolean {
  const filled = [...chains.values()].map(({ rules }) => rules.map(({ handle }) => handle));
  const handles = filled.toSorted(([a = 0], [b = 0]) => a - b).flat();
  return handles.some((handle, index) => index > 0 && handle <= (handles[index - 1] ?? 0));
}
