import { checkNesting } from './group-nesting.ts';
import { LIMITS } from './limits.ts';
import { type Problems, quote } from './problems.ts';
import { noSuchGroup } from './read-ends.ts';
import { isGroupName, parseSelector, type Selector } from './selector.ts';
import { selectorWords } from './selector-words.ts';
import { type Member, readList, readObject, readText, upTo, type Value } from './values.ts';

export type Groups = ReadonlyMap<string, readonly string[]>;

const GROUPS = '"groups" is an object of groups and their selectors, such as {"developers": ["tag:role:dev"]}';
const SELECTORS = 'A group is a list of selectors, such as ["tag:role:dev", "node:bastion-1"]';
const NAME =
  'a name has lower-case letters, digits, dots, underscores and dashes, begins and ends with a letter or a digit, and is 63 characters long at most';

/** What is written where, to be looked at again once every group is known. */
interface Written {
  readonly text: string;
  readonly selector: Selector;
  readonly value: Value;
}

/** Every group, even one with a mistake in it: a reference to it is correct. */
export function readGroups(value: Value | undefined, problems: Problems): Groups {
  const members = value === undefined ? [] : (readObject(value, GROUPS, problems) ?? []);
  const groups = upTo(members, { most: LIMITS.groups, things: 'groups' }, problems);
  const names = new Set(members.map(({ name }) => name));
  const written = new Map<string, readonly Written[]>();
  for (const member of groups) {
    checkName(member, problems);
    written.set(member.name, readSelectors(member.value, names, problems));
  }
  for (const selectors of written.values()) {
    for (const { selector, value: at } of selectors) {
      if (selector.kind === 'group' && !names.has(selector.name)) {
        problems.report(at, () => noSuchGroup(selector.name, names));
      }
    }
  }
  checkNesting(innerGroups(written), problems);
  return new Map([...written].map(([name, selectors]) => [name, selectors.map(({ text }) => text)]));
}

function checkName(member: Member, problems: Problems): void {
  if (isGroupName(member.name)) return;
  problems.report(member, () => {
    const better = member.name.slice(0, 100).trim().toLowerCase().replace(/\s/g, '-');
    const advice = isGroupName(better) ? ` Write ${quote(better)}.` : '';
    return `${quote(member.name)} cannot name a group: ${NAME}.${advice}`;
  });
}

function readSelectors(value: Value, names: ReadonlySet<string>, problems: Problems): readonly Written[] {
  const limit = { expected: SELECTORS, most: LIMITS.selectorsOfGroup, things: 'selectors in this group' };
  return (readList(value, limit, problems) ?? []).flatMap((element) => {
    const text = readText(element, 'A selector is a string, such as "tag:role:dev"', problems);
    if (text === undefined) return [];
    const selector = parseSelector(text);
    if (selector !== undefined) return [{ text, selector, value: element }];
    problems.report(element, () => selectorWords(text, names));
    return [];
  });
}

function innerGroups(written: ReadonlyMap<string, readonly Written[]>) {
  return new Map(
    [...written].map(([name, selectors]) => [
      name,
      selectors.flatMap(({ selector, value }) => (selector.kind === 'group' ? [{ name: selector.name, value }] : [])),
    ]),
  );
}
