import {
  type Address,
  enclosingNetwork,
  formatAddress,
  formatNetwork,
  parseAddress,
  parseNetwork,
} from '@meshwork/addresses';
import { nearest } from './nearest.ts';
import { type Problems, quote } from './problems.ts';
import { parseSelector } from './selector.ts';
import { readText, type Value } from './values.ts';

/** The groups there are, and where to report a problem. */
export interface Named {
  readonly groups: ReadonlyMap<string, unknown>;
  readonly problems: Problems;
}

/** Undefined, with a problem reported, unless it names an existing group. `member` is what the document calls it: `"from"`. */
export function readGroupName(value: Value, member: string, named: Named): string | undefined {
  const text = readText(value, `${member} is the name of one group, such as "developers"`, named.problems);
  if (text === undefined || named.groups.has(text)) return text;
  named.problems.report(value, () => mistakenGroup(text, member, named));
  return undefined;
}

export function readDestination(value: Value, named: Named): string | undefined {
  const expected = '"to" is the name of one group, such as "git-servers", or one network, such as "10.20.0.0/16"';
  const text = readText(value, expected, named.problems);
  if (text === undefined || named.groups.has(text) || parseNetwork(text) !== undefined) return text;
  named.problems.report(value, () => mistakenNetwork(text) ?? mistakenGroup(text, '"to"', named));
  return undefined;
}

/** Undefined: the text does not look like a network. */
function mistakenNetwork(text: string): string | undefined {
  const address = parseAddress(text);
  if (address !== undefined) {
    return `${quote(text)} is an address without the prefix that makes it a network. Write ${quote(alone(address))}.`;
  }
  const meant = enclosingNetwork(text);
  if (meant !== undefined) {
    const [right, first] = [quote(formatNetwork(meant)), parseAddress(text.slice(0, text.indexOf('/')))];
    return first === undefined || first.value === meant.base
      ? `${quote(text)} is not the one way to write this network. Write ${right}.`
      : `${quote(text)} has bits set behind its prefix. Write ${right}, or ${quote(alone(first))} for the one address.`;
  }
  if (!/^[0-9a-fA-F:.]*\//.test(text)) return undefined;
  return `${quote(text)} is not a network. A network is an address and the length of its prefix, such as "10.20.0.0/16" or "fd00:20::/32".`;
}

/** The network of one address. */
function alone(address: Address): string {
  return `${formatAddress(address)}/${address.family === 4 ? 32 : 128}`;
}

function mistakenGroup(text: string, member: string, { groups }: Named): string {
  const selector = text.length > 200 ? undefined : parseSelector(text);
  if (enclosingNetwork(text) !== undefined || parseAddress(text) !== undefined) {
    return `${quote(text)} is an address, and ${member} takes the name of a group: only nodes of the mesh are possible here.`;
  }
  if (selector === undefined) return noSuchGroup(text, groups.keys());
  if (selector.kind === 'group' && groups.has(selector.name)) {
    return `${member} takes the name of a group alone. Write ${quote(selector.name)}.`;
  }
  return `${quote(text)} is a selector, and ${member} takes the name of a group. Put the selector into a group and name that.`;
}

export function noSuchGroup(name: string, names: Iterable<string>): string {
  const near = nearest(name.slice(0, 100).toLowerCase(), names);
  return near === undefined
    ? `There is no group ${quote(name)}. Add it to "groups", or name one that is there.`
    : `There is no group ${quote(name)}. Did you mean ${quote(near)}?`;
}
