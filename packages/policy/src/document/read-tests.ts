import { enclosingNetwork, parseAddress } from '@meshwork/addresses';
import { parseAllow } from './allow.ts';
import type { PolicyTest } from './document.ts';
import { LIMITS } from './limits.ts';
import { counted, type Problems, quote } from './problems.ts';
import { type Named, noSuchGroup } from './read-ends.ts';
import { isNodeName, parseSelector } from './selector.ts';
import { parseTarget } from './target.ts';
import { readKnown, readList, readText, type Value } from './values.ts';

const TESTS = '"tests" is a list, such as [{"from": "laptop-3", "allow": ["git-1:tcp:22"]}]';
const TEST = {
  thing: 'A test',
  expected: 'A test is an object, such as {"from": "laptop-3", "allow": ["git-1:tcp:22"]}',
  known: ['from', 'allow', 'deny'],
} as const;

interface Written {
  readonly text: string;
  readonly value: Value;
}

export function readTests(value: Value | undefined, named: Named): readonly PolicyTest[] {
  const limit = { expected: TESTS, most: LIMITS.tests, things: 'tests' };
  const elements = value === undefined ? [] : (readList(value, limit, named.problems) ?? []);
  const before = named.problems.count;
  const tests = elements.map((element) => ({ element, test: readTest(element, named) }));
  if (named.problems.count === before) checkTargets(tests, named.problems);
  return tests.flatMap(({ test }) => test ?? []);
}

/** Reports the test with the first target beyond the limit. */
function checkTargets(
  tests: readonly { readonly element: Value; readonly test: PolicyTest | undefined }[],
  problems: Problems,
): void {
  let over: Value | undefined;
  let count = 0;
  for (const { element, test } of tests) {
    count += (test?.allow.length ?? 0) + (test?.deny.length ?? 0);
    if (count > LIMITS.targets) over ??= element;
  }
  if (over === undefined) return;
  problems.report(over, () => {
    return `There are ${counted(count)} targets in all tests together; ${counted(LIMITS.targets)} are the most.`;
  });
}

function readTest(test: Value, named: Named): PolicyTest | undefined {
  const { problems } = named;
  const members = readKnown(test, TEST, problems);
  if (members === undefined) return undefined;
  const [fromValue, allowValue, denyValue] = [members.get('from'), members.get('allow'), members.get('deny')];
  if (fromValue === undefined) {
    problems.report(
      test,
      () => 'This test has no "from". It names the source: a node, or "group:" and the name of a group.',
    );
  }
  const from = fromValue === undefined ? undefined : readSource(fromValue, named);
  const allow = allowValue === undefined ? [] : readTargets(allowValue, '"allow"', named);
  const deny = denyValue === undefined ? [] : readTargets(denyValue, '"deny"', named);
  if (allow?.length === 0 && deny?.length === 0) {
    problems.report(
      test,
      () => 'This test checks nothing. List what must work in "allow", or what must not in "deny".',
    );
  }
  if (allow !== undefined && deny !== undefined) checkContradiction(allow, deny, problems);
  if (from === undefined || allow === undefined || deny === undefined) return undefined;
  return { from, allow: allow.map(({ text }) => text), deny: deny.map(({ text }) => text) };
}

function readSource(value: Value, { groups, problems }: Named): string | undefined {
  const expected =
    '"from" is a string: the name of a node, such as "laptop-3", or "group:developers" for all of a group';
  const text = readText(value, expected, problems);
  if (text === undefined || isNodeName(text)) return text;
  const selector = text.length > 200 ? undefined : parseSelector(text);
  if (selector?.kind === 'group' && groups.has(selector.name)) return text;
  problems.report(value, () => {
    if (selector?.kind === 'group') return noSuchGroup(selector.name, groups.keys());
    if (selector?.kind === 'node') return `"from" takes the name of a node alone. Write ${quote(selector.name)}.`;
    if (groups.has(text)) return `${quote(text)} is a group. Write ${quote(`group:${text}`)}.`;
    return `${quote(text)} is neither the name of a node, such as "laptop-3", nor a group, such as "group:developers".`;
  });
  return undefined;
}

/** Undefined, with the problems reported, unless all of them are valid. */
function readTargets(value: Value, member: string, { groups, problems }: Named): readonly Written[] | undefined {
  const expected = `${member} is a list, such as ["git-1:tcp:22", "group:git-servers:icmp"]`;
  const limit = { expected, most: LIMITS.targetsOfTest, things: 'targets in this list' };
  const before = problems.count;
  const targets = readList(value, limit, problems)?.flatMap((element): Written[] => {
    const text = readText(element, 'A target is a string, such as "git-1:tcp:22"', problems);
    if (text === undefined) return [];
    const target = parseTarget(text);
    if (target === undefined) problems.report(element, () => targetWords(text));
    else if (target.kind === 'group' && !groups.has(target.name)) {
      problems.report(element, () => noSuchGroup(target.name, groups.keys()));
    }
    return [{ text, value: element }];
  });
  return problems.count === before ? targets : undefined;
}

function checkContradiction(allow: readonly Written[], deny: readonly Written[], problems: Problems): void {
  const allowed = new Set(allow.map(({ text }) => text));
  for (const { text, value } of deny) {
    if (allowed.has(text)) problems.report(value, () => `${quote(text)} is in "allow" too. It cannot be both.`);
  }
}

/** What is wrong with a text that is no target of a test, and what was meant. */
function targetWords(text: string): string {
  const short = text.slice(0, 200);
  const [, whom = '', what = ''] = /^(.*?):((?:tcp|udp|icmp)(?::[^:]*)?|\*|\d+)$/is.exec(short) ?? ['', short, ''];
  const meant = guesses(short, whom, what).find((guess) => parseTarget(guess) !== undefined);
  if (meant !== undefined) return `${quote(text)} is not a target. Did you mean ${quote(meant)}?`;
  if (enclosingNetwork(whom) !== undefined) {
    return `${quote(text)} asks about a whole network. A test asks about one address, such as "10.20.1.1:tcp:443".`;
  }
  const allow = parseAllow(what);
  if (what === '*' || (allow !== undefined && allow.from !== allow.to)) {
    return `${quote(text)} asks about many ports. A test asks about one, such as "git-1:tcp:22".`;
  }
  if (/^(?:tcp|udp):\d+$/.test(what) && allow === undefined) {
    return `${quote(text)} has a port that is not one of 1 to 65535, written without leading zeros.`;
  }
  return `${quote(text)} is not a target. Write whom and what: "git-1:tcp:22", "group:git-servers:icmp", "10.20.1.1:udp:53" or "[fd00::1]:tcp:443".`;
}

function guesses(text: string, whom: string, what: string): readonly string[] {
  const bare = whom.replace(/^node:/, '').replace(/^\[(.*)\]$/s, '$1');
  const bracketed = parseAddress(bare)?.family === 6 ? `[${bare}]` : bare;
  return [text.trim().toLowerCase(), `${bare}:${what}`, `${bracketed}:${what}`, `${bracketed}:tcp:${what}`];
}
