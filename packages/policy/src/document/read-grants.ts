import type { Grant } from './document.ts';
import { LIMITS } from './limits.ts';
import { quote } from './problems.ts';
import { readAllow } from './read-allow.ts';
import { readExpires, readNote, readWhen, readWithin } from './read-conditions.ts';
import { type Named, readDestination, readGroupName } from './read-ends.ts';
import { readKnown, readList, type Value } from './values.ts';

const GRANTS = '"grants" is a list, such as [{"from": "developers", "to": "git-servers", "allow": ["tcp:22"]}]';
const GRANT = {
  thing: 'A grant',
  expected: 'A grant is an object, such as {"from": "developers", "to": "git-servers", "allow": ["tcp:22"]}',
  known: ['from', 'to', 'allow', 'via', 'within', 'when', 'expires', 'note'],
} as const;
const MISSING = {
  from: 'It names the source group.',
  to: 'It names the destination: a group or a network.',
  allow: 'It lists what is allowed, such as ["tcp:22"].',
} as const;

export function readGrants(value: Value | undefined, named: Named): readonly Grant[] {
  const limit = { expected: GRANTS, most: LIMITS.grants, things: 'grants' };
  const elements = value === undefined ? [] : (readList(value, limit, named.problems) ?? []);
  return elements.flatMap((element) => readGrant(element, named) ?? []);
}

function readGrant(grant: Value, named: Named): Grant | undefined {
  const { problems } = named;
  const members = readKnown(grant, GRANT, problems);
  if (members === undefined) return undefined;
  for (const name of ['from', 'to', 'allow'] as const) {
    if (!members.has(name)) problems.report(grant, () => `This grant has no "${name}". ${MISSING[name]}`);
  }
  const read = <Read>(name: (typeof GRANT.known)[number], reader: (value: Value) => Read | undefined) => {
    const value = members.get(name);
    return value === undefined ? undefined : reader(value);
  };
  const from = read('from', (value) => readGroupName(value, '"from"', named));
  const to = read('to', (value) => readDestination(value, named));
  const allow = read('allow', (value) => readAllow(value, problems));
  const via = read('via', (value) => readVia(value, to, named));
  const within = read('within', (value) => readWithin(value, problems));
  const when = read('when', (value) => readWhen(value, problems));
  const expires = read('expires', (value) => readExpires(value, problems));
  const note = read('note', (value) => readNote(value, problems));
  if (from === undefined || to === undefined || allow === undefined) return undefined;
  return {
    ...{ from, to, allow },
    ...(via !== undefined && { via }),
    ...(within !== undefined && { within }),
    ...(when !== undefined && { when }),
    ...(expires !== undefined && { expires }),
    ...(note !== undefined && { note }),
  };
}

function readVia(value: Value, to: string | undefined, named: Named): string | undefined {
  if (to === undefined || !named.groups.has(to)) return readGroupName(value, '"via"', named);
  const words = () => `"via" goes with a network. ${quote(to)} is a group, and is reached directly: leave "via" out.`;
  named.problems.report(value, words);
  return undefined;
}
