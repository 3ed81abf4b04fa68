import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  DEFAULT_ROUTE,
  FAMILIES,
  type Family,
  formatAddress,
  formatNetwork,
  isSingleAddress,
  type Network,
  readNetwork,
} from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { FULL_SIZE_TABLE, ROUTE_PROTOCOL, ROUTE_TABLE, RULE_PRIORITY } from '../../host/own-numbers.ts';
import { CommandError, type RunCommand } from '../../host/run-command.ts';

/** What of the host’s network concerns the mesh, as it is now. Routes and rules are written as `ip` wants them. */
export interface SeenNetwork {
  /** Undefined: there is no such interface. */
  readonly mesh: SeenLink | undefined;
  /** Those that the host can use: without IPv6 in the kernel, or where it is switched off, the first one alone. */
  readonly families: readonly Family[];
  /** Networks that the host is in through other interfaces. */
  readonly connected: readonly Network[];
  /** All in our tables, also those that another program added. */
  readonly routes: Readonly<Record<Family, readonly string[]>>;
  /** Ours, by protocol and priority. */
  readonly rules: Readonly<Record<Family, readonly string[]>>;
}

export interface SeenLink {
  readonly up: boolean;
  readonly mtu: number;
  /** How it comes by a link-local address. The mesh has no use for one. */
  readonly generation: string | undefined;
  /** With prefix. Link-local ones, which the kernel makes by itself, are left out. */
  readonly addresses: readonly string[];
}

interface IpLink {
  readonly ifname: string;
  readonly flags: readonly string[];
  readonly mtu: number;
  readonly inet6_addr_gen_mode?: string;
  readonly addr_info: readonly {
    readonly local: string;
    /** The other end of a link that has only two. */
    readonly address?: string;
    readonly prefixlen: number;
    readonly scope: string;
  }[];
}

interface IpRoute {
  readonly type?: string;
  readonly dst: string;
  readonly dev?: string;
  readonly metric?: number;
  readonly metrics?: readonly { readonly mtu?: number }[];
}

interface IpRule {
  readonly priority: number;
  readonly fwmark?: string;
  readonly ipproto?: string;
  readonly sport?: number;
  readonly dst?: string;
  readonly dstlen?: number;
  readonly table: string;
  readonly suppress_prefixlen?: number;
  readonly protocol?: string;
}

export async function lookAtNetwork(run: RunCommand): Promise<SeenNetwork> {
  const links = JSON.parse(await run('ip', ['-json', '-details', 'address', 'show'])) as readonly IpLink[];
  const mesh = links.find(({ ifname }) => ifname === MESH_INTERFACE);
  const six = await hasSix();
  return {
    mesh: mesh && seenLink(mesh),
    families: six ? FAMILIES : [4],
    connected: links.filter(({ ifname }) => ifname !== MESH_INTERFACE).flatMap(connectedThrough),
    routes: {
      4: [...(await routesOf(run, 4)), ...(await routesOf(run, 4, FULL_SIZE_TABLE))],
      6: six ? await routesOf(run, 6) : [],
    },
    rules: { 4: await rulesOf(run, 4), 6: six ? await rulesOf(run, 6) : [] },
  };
}

/** Asked of the mesh’s own interface, where it is there: the host may want IPv6 on some and not on others. */
async function hasSix(): Promise<boolean> {
  const file = [MESH_INTERFACE, 'all'].map(disableFile).find(existsSync);
  return file !== undefined && (await readFile(file, 'utf8')).trim() === '0';
}

function disableFile(name: string): string {
  return `/proc/sys/net/ipv6/conf/${name}/disable_ipv6`;
}

function seenLink({ flags, mtu, inet6_addr_gen_mode, addr_info }: IpLink): SeenLink {
  return {
    up: flags.includes('UP'),
    mtu,
    generation: inet6_addr_gen_mode,
    addresses: addr_info
      .filter(({ scope }) => scope !== 'link')
      .map(({ local, prefixlen }) => `${spelled(local)}/${prefixlen}`),
  };
}

/** In one spelling, so that texts can be compared. */
function spelled(address: string): string {
  const { family, base: value } = readNetwork(address);
  return formatAddress({ family, value });
}

/** An address that is alone in its network connects to nothing, unless it says who is at the other end. */
function connectedThrough({ flags, addr_info }: IpLink): readonly Network[] {
  if (!flags.includes('UP') || flags.includes('LOOPBACK')) return [];
  return addr_info.flatMap(({ scope, local, address, prefixlen }) => {
    if (scope === 'link') return [];
    const network = readNetwork(`${address ?? local}/${prefixlen}`);
    return address === undefined && isSingleAddress(network) ? [] : [network];
  });
}

async function routesOf(run: RunCommand, family: Family, table = ROUTE_TABLE): Promise<readonly string[]> {
  const routes = (await inTable(run, family, table)) as readonly IpRoute[];
  return routes.map(({ type = 'unicast', dst, dev, metric, metrics }) =>
    [
      ...(type === 'unicast' ? [] : [type]),
      formatNetwork(readNetwork(dst === 'default' ? DEFAULT_ROUTE[family] : dst)),
      ...(dev === undefined ? [] : [`dev ${dev}`]),
      ...(metric === undefined || metric === USUAL_METRIC ? [] : [`metric ${metric}`]),
      ...(metrics ?? []).flatMap(({ mtu }) => (mtu === undefined ? [] : [`mtu ${mtu}`])),
      ...(table === ROUTE_TABLE ? [] : [`table ${table}`]),
    ].join(' '),
  );
}

/** Of IPv6. The kernel gives it to a route that names none. */
const USUAL_METRIC = 1024;

/** A table is there only while there is something in it. */
async function inTable(run: RunCommand, family: Family, table: number): Promise<unknown> {
  try {
    return JSON.parse(await run('ip', [`-${family}`, '-json', 'route', 'show', 'table', String(table)]));
  } catch (error) {
    if (error instanceof CommandError && error.stderr.includes('FIB table does not exist')) return [];
    throw error;
  }
}

const OUR_PRIORITIES: ReadonlySet<number> = new Set(Object.values(RULE_PRIORITY));
const OUR_TABLES: ReadonlySet<string> = new Set(['main', String(ROUTE_TABLE), String(FULL_SIZE_TABLE)]);

async function rulesOf(run: RunCommand, family: Family): Promise<readonly string[]> {
  const rules = JSON.parse(await run('ip', [`-${family}`, '-json', 'rule', 'show'])) as readonly IpRule[];
  return rules
    .filter(({ protocol }) => protocol === String(ROUTE_PROTOCOL))
    .filter(({ priority, table }) => OUR_PRIORITIES.has(priority) && OUR_TABLES.has(table))
    .map(({ priority, fwmark, ipproto, sport, dst, dstlen, table, suppress_prefixlen }) =>
      [
        `pref ${priority}`,
        ...(fwmark === undefined ? [] : [`fwmark ${fwmark}`]),
        ...(ipproto === undefined ? [] : [`ipproto ${ipproto}`]),
        ...(sport === undefined ? [] : [`sport ${sport}`]),
        ...(dst === undefined || dst === 'all' ? [] : [`to ${destination(dst, dstlen)}`]),
        `lookup ${table}`,
        ...(suppress_prefixlen === undefined ? [] : [`suppress_prefixlength ${suppress_prefixlen}`]),
      ].join(' '),
    );
}

function destination(address: string, prefix: number | undefined): string {
  return formatNetwork(readNetwork(prefix === undefined ? address : `${address}/${prefix}`));
}
