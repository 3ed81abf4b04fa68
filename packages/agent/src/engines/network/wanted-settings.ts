import { readdir } from 'node:fs/promises';
import {
  encloses,
  type Family,
  formatNetwork,
  hostsIn,
  isDefaultRoute,
  type Network,
  readNetwork,
} from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { WIREGUARD_MARK } from '../../host/own-numbers.ts';
import { CommandError, type RunCommand } from '../../host/run-command.ts';
import { FORWARDING_FOR_ALL, type HostSettings, type Settings } from './host-settings.ts';
import type { NetworkPlan } from './mesh-network.ts';

interface WantedSettings {
  readonly settings: Settings;
  /** Networks that the node should forward to and has no way to, in words. */
  readonly problems: readonly string[];
}

interface Question {
  readonly run: RunCommand;
  readonly host: HostSettings;
  readonly families: readonly Family[];
}

const LOOSE = '2';

/** Kernel settings for forwarding, with which packets of the mesh are not taken for forged ones. */
export async function wantedSettings(plan: NetworkPlan, question: Question): Promise<WantedSettings> {
  const forwarded = plan.forwarded.map(readNetwork).filter(({ family }) => question.families.includes(family));
  const four = await forwardingFour(
    forwarded.filter(({ family }) => family === 4),
    question,
  );
  return {
    settings: new Map([
      ...(await looseReversePath(plan, question)),
      ...four.settings,
      ...(forwarded.some(({ family }) => family === 6) ? await forwardingSix(question) : []),
    ]),
    problems: [
      ...four.problems,
      ...(await unreachable(
        forwarded.filter(({ family }) => family === 6),
        question,
      )),
    ],
  };
}

/**
 * The kernel can drop a packet whose sender it would not answer through the interface that it came in by (`rp_filter` 1,
 * of which the stricter of `all` and the interface holds, and 2 is milder than 1). WireGuard already knows its senders.
 * And with networks routed into the mesh that are not its own, peers there still send WireGuard’s own packets the host’s
 * usual way: those must not be dropped where they come in.
 */
async function looseReversePath(plan: NetworkPlan, { run, host }: Question): Promise<readonly [string, string][]> {
  const own = plan.addresses.map(readNetwork);
  const isForeign = (route: Network) => isDefaultRoute(route) || !own.some((address) => encloses(route, address));
  const foreign = plan.routes.map(readNetwork).some((route) => route.family === 4 && isForeign(route));
  const loose: [string, string][] = [[`ipv4/conf/${MESH_INTERFACE}/rp_filter`, LOOSE]];
  const all = (await host.now('ipv4/conf/all/rp_filter')) ?? '0';
  for (const name of foreign ? await defaultInterfaces(run) : []) {
    const key = `ipv4/conf/${name}/rp_filter`;
    const strictness = Math.max(Number(all), Number((await host.before(key)) ?? '0'));
    if (strictness === 1) loose.push([key, LOOSE]);
  }
  return loose;
}

interface IpRoute {
  readonly dev?: string;
  readonly nexthops?: readonly { readonly dev?: string }[];
}

async function defaultInterfaces(run: RunCommand): Promise<readonly string[]> {
  const text = await run('ip', ['-4', '-json', 'route', 'show', 'default', 'table', 'main']);
  const routes = JSON.parse(text) as readonly IpRoute[];
  const names = routes.flatMap(({ dev, nexthops = [] }) => [dev, ...nexthops.map((hop) => hop.dev)]);
  return [...new Set(names.flatMap((name) => (name === undefined || name === MESH_INTERFACE ? [] : [name])))];
}

/** By interface, so that the host does not become a router for other networks: where requests come in, and where answers do. */
async function forwardingFour(networks: readonly Network[], { run }: Question) {
  const settings = new Map<string, string>();
  const problems: string[] = [];
  if (networks.length > 0) settings.set(`ipv4/conf/${MESH_INTERFACE}/forwarding`, '1');
  for (const network of networks) {
    const names = isDefaultRoute(network) ? await defaultInterfaces(run) : await interfacesTo(network, run);
    if (names.length === 0) problems.push(noWay(network));
    for (const name of names) if (name !== 'lo') settings.set(`ipv4/conf/${name}/forwarding`, '1');
  }
  return { settings, problems };
}

/** The way that the host itself would take without the mesh. None: it has no way. */
async function interfacesTo(network: Network, run: RunCommand): Promise<readonly string[]> {
  const ways = new Set<string>();
  for (const address of hostsIn(network)) {
    try {
      const args = [`-${network.family}`, '-json', 'route', 'get', address, 'mark', String(WIREGUARD_MARK)];
      const [route] = JSON.parse(await run('ip', args)) as readonly IpRoute[];
      if (route?.dev !== undefined && route.dev !== MESH_INTERFACE) ways.add(route.dev);
    } catch (error) {
      if (!(error instanceof CommandError) || !NO_WAY.test(error.stderr)) throw error;
    }
  }
  return [...ways];
}

/** Also what a route of the kind `unreachable`, `blackhole` or `prohibit` answers with. */
const NO_WAY = /unreachable|No route to host|Invalid argument|Permission denied/;

async function unreachable(networks: readonly Network[], { run }: Question): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const network of networks) {
    if (!isDefaultRoute(network) && (await interfacesTo(network, run)).length === 0) problems.push(noWay(network));
  }
  return problems;
}

function noWay(network: Network): string {
  return `${formatNetwork(network)} is to be forwarded to, and this host has no way there`;
}

/**
 * IPv6 forwards on all interfaces or on none. A host that forwards ignores router advertisements and would lose its
 * own default route, unless its interfaces still accept them (`accept_ra` 2). That comes first: the kernel forgets the
 * route at the moment when it begins to forward.
 */
async function forwardingSix({ host }: Question): Promise<readonly [string, string][]> {
  if ((await host.before(FORWARDING_FOR_ALL[6])) === '1') return [];
  const began = await host.isClaimed(FORWARDING_FOR_ALL[6]);
  const advice: [string, string][] = [];
  const alone: [string, string][] = [];
  for (const name of await readdir('/proc/sys/net/ipv6/conf')) {
    if (['all', 'lo', MESH_INTERFACE].includes(name)) continue;
    const forwarding = `ipv6/conf/${name}/forwarding`;
    const forwards = began ? await host.isClaimed(forwarding) : (await host.now(forwarding)) === '1';
    // Switching off all of them would take these along: claimed, they are put back to what they were.
    if (forwards) alone.push([forwarding, '1']);
    else if ((await host.before(`ipv6/conf/${name}/accept_ra`)) === '1')
      advice.push([`ipv6/conf/${name}/accept_ra`, '2']);
  }
  return [...advice, [FORWARDING_FOR_ALL[6], '1'], ...alone];
}
