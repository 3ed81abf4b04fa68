import type { NatMapping, Service } from '@meshwork/contract';
import type { FleetOptions } from '../fleet.ts';

interface DemoNode {
  readonly name: string;
  readonly tags: readonly string[];
  readonly services: readonly Service[];
  readonly routes: readonly string[];
}

/** Those who have a part to play, by name. All of them are in every demo, however small. */
export const DEMO_CAST = {
  server: 'git-1',
  laptop: 'laptop-ana',
  gateway: 'gw-1',
  database: 'db-1',
  other_laptop: 'laptop-ben',
  pending: 'laptop-zoe',
  quarantined: 'ci-3',
  silent: 'etl-2',
  /** No other node of the cast is in its boundary: what all peers have to prove, such as a removal, waits for it in vain. */
  drifting: 'stage-web-1',
} as const;

/** Name of the relay, and the node that runs it. */
export const RELAYS = { 'fra-1': 'relay-fra', 'nyc-1': 'relay-nyc', 'sin-1': 'relay-sin' } as const;

/** Laptops are at home and runners in a cloud, behind a NAT that most links get through; all else is at a data centre. */
export function demoNat(name: string): NatMapping {
  return /^(?:laptop|ci)-/.test(name) ? 'endpoint-independent' : 'none';
}

/** Each network can be reached through either of two nodes. */
export const NETWORKS = { '10.20.0.0/16': ['gw-1', 'gw-2'], '10.30.0.0/16': ['gw-3', 'gw-4'] } as const;

type Place = readonly [team: string, environment: string];
const PLATFORM: Place = ['platform', 'production'];
const SHOP: Place = ['shop', 'production'];
const STAGING: Place = ['shop', 'staging'];
const DATA: Place = ['data', 'production'];

const tcp = (name: string, port: number): Service => ({ name, protocol: 'tcp', port, health: 'passing' });

const SERVICES: Readonly<Record<string, readonly Service[]>> = {
  git: [tcp('git-ssh', 22), tcp('git-http', 443)],
  ci: [tcp('runner', 8093)],
  web: [tcp('shop-web', 443)],
  db: [tcp('postgres', 5432)],
  warehouse: [tcp('clickhouse', 9440)],
};

/** Who is there in the smallest demo. The relays come first. Who waits for approval comes last, after all others. */
const FIXED: readonly (readonly [role: string, place: Place, ...names: readonly string[]])[] = [
  ['relay', PLATFORM, ...Object.values(RELAYS)],
  ['gateway', PLATFORM, 'gw-1', 'gw-2'],
  ['git', PLATFORM, 'git-1', 'git-2'],
  ['ci', PLATFORM, 'ci-1', 'ci-2', 'ci-3'],
  ['laptop', PLATFORM, 'laptop-ana'],
  ['gateway', SHOP, 'gw-3', 'gw-4'],
  ['web', SHOP, 'web-1', 'web-2'],
  ['db', SHOP, 'db-1', 'db-2'],
  ['laptop', SHOP, 'laptop-ben'],
  ['web', STAGING, 'stage-web-1'],
  ['db', STAGING, 'stage-db-1'],
  ['etl', DATA, 'etl-1', 'etl-2'],
  ['warehouse', DATA, 'warehouse-1'],
  ['laptop', DATA, 'laptop-chi'],
];
const LAST = member('laptop', DATA, DEMO_CAST.pending);

/** Who comes on top, in turn, until there are enough. */
const MORE: readonly (readonly [role: string, place: Place, prefix: string])[] = [
  ['laptop', PLATFORM, 'laptop'],
  ['web', SHOP, 'web'],
  ['laptop', SHOP, 'laptop'],
  ['ci', PLATFORM, 'ci'],
  ['etl', DATA, 'etl'],
  ['laptop', DATA, 'laptop'],
  ['web', SHOP, 'web'],
  ['web', STAGING, 'stage-web'],
];
const PEOPLE = [
  'dan',
  'eva',
  'fay',
  'gil',
  'hana',
  'ivo',
  'jo',
  'kai',
  'lea',
  'max',
  'nia',
  'oli',
  'pia',
  'raj',
  'sam',
];

export const FEWEST_DEMO_NODES = FIXED.reduce((sum, [, , ...names]) => sum + names.length, 1);

export function rosterOf(nodes: number): readonly DemoNode[] {
  const roster = FIXED.flatMap(([role, place, ...names]) => names.map((name) => member(role, place, name)));
  const taken = new Set(roster.map(({ name }) => name));
  for (let turn = 0; roster.length < nodes - 1; turn += 1) {
    const [role, place, prefix] = MORE[turn % MORE.length] as (typeof MORE)[number];
    const name = freeName(prefix, taken);
    taken.add(name);
    roster.push(member(role, place, name));
  }
  return [...roster, LAST];
}

/** A fleet of those on the roster, in their order. A node that joins after them is a guest. */
export function fleetOptionsOf(
  roster: readonly DemoNode[],
): Pick<FleetOptions, 'name' | 'tags' | 'services' | 'routes'> {
  const at = (index: number) => roster[index] ?? member('laptop', PLATFORM, `guest-${index - roster.length + 1}`);
  return {
    name: (index) => at(index).name,
    tags: (index) => at(index).tags,
    services: (index) => at(index).services,
    routes: (index) => at(index).routes,
  };
}

function member(role: string, [team, environment]: Place, name: string): DemoNode {
  const routes = Object.entries(NETWORKS).filter(([, providers]) => (providers as readonly string[]).includes(name));
  return {
    name,
    tags: [`role:${role}`, `team:${team}`, `env:${environment}`],
    services: SERVICES[role] ?? [],
    routes: routes.map(([network]) => network),
  };
}

/** Laptops are called after people, everything else is counted. */
function freeName(prefix: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const person = PEOPLE[(number - 1) % PEOPLE.length];
    const round = Math.floor((number - 1) / PEOPLE.length) + 1;
    const name = prefix === 'laptop' ? `laptop-${person}${round === 1 ? '' : `-${round}`}` : `${prefix}-${number}`;
    if (!taken.has(name)) return name;
  }
}
