/**
 * Nodes that stand in for each other: when one does not take a connection, nginx asks the next one of its group. nginx reads groups
 * only with its configuration, and nodes come and go without that. So groups are in a file of their own that is written when the
 * configuration is loaded anyway, and a connection uses a group only if all its nodes are up now (`njs/program.ts`). Without a group
 * a connection goes to its node alone.
 */
import { parseAddress } from '@meshwork/addresses';
import type { AssignedTarget, IngressAssignment } from '@meshwork/contract';
import { placeKey } from './live-state.ts';
import { block, type Directive, directive, nginxText, withVariables } from './nginx-text.ts';

/** Ours: how many nodes behind one may stand in for it. Two of them are in a group with it. */
const WINDOW = 3;
/** Ours: for so long a node that did not take a connection is asked last. */
const LEFT_OUT_S = 10;

export function groupsText(section: readonly IngressAssignment[]): string {
  const groups = new Map<string, readonly Directive[]>();
  for (const { kind, routes } of section) {
    if (kind !== 'tcp' && kind !== 'tls') continue; // a datagram is not refused in time
    for (const { pools, protocol } of routes) {
      const rings = pools.map(({ service, targets }) =>
        targets
          .filter(isPlace)
          .toSorted((a, b) => compare(placeKey(a, { service, protocol }), placeKey(b, { service, protocol }))),
      );
      for (const members of rings.flatMap((ring) => groupsIn(ring, rings)))
        groups.set(nameOf(members), servers(members));
    }
  }
  const known = block(
    'map',
    [withVariables('$mesh_group'), withVariables('$mesh_has_group')],
    [directive('volatile'), directive('default', 0), ...[...groups.keys()].map((name) => directive(name, 1))],
  );
  return nginxText([known, ...[...groups].map(([name, inside]) => block('upstream', [name], inside))]);
}

/** Behind the nodes of a service come those of the other one. */
function groupsIn(ring: readonly AssignedTarget[], rings: readonly (readonly AssignedTarget[])[]) {
  return ring.flatMap((first, at) => {
    const others = rings.flatMap((other) => (other === ring ? [] : other));
    const behind = [...ring.slice(at + 1), ...ring.slice(0, at), ...others].slice(0, WINDOW);
    const pairs = behind.map((second) => [first, second]);
    const threes = behind.flatMap((second, place) => behind.slice(place + 1).map((third) => [first, second, third]));
    return [...pairs, ...threes];
  });
}

/** Those behind the first are always asked: one that failed a moment ago is better than none. */
function servers([first, ...others]: readonly AssignedTarget[]): readonly Directive[] {
  const place = ({ address, port }: AssignedTarget) => `${address}:${port}`;
  if (first === undefined) return [];
  return [
    directive('server', place(first), 'max_fails=1', `fail_timeout=${LEFT_OUT_S}s`),
    ...others.map((other) => directive('server', place(other), 'max_fails=0', 'backup')),
  ];
}

function nameOf(members: readonly AssignedTarget[]): string {
  return members.map(({ address, port }) => `${address}_${port}`).join('-');
}

/** What is not refused, as the rest of the record is: a node with such an address is never up. */
function isPlace({ address, port }: AssignedTarget): boolean {
  return parseAddress(address)?.family === 4 && Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
