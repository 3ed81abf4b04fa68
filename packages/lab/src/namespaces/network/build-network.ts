import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atATime } from '../../at-a-time.ts';
import { ETC_NETNS, outsideName } from '../plan/fixed.ts';
import type { LabPlan, PlannedNode, PlannedSubnet } from '../plan/lab-plan.ts';
import { namespacesOf } from '../plan/places.ts';
import type { PlannedSite } from '../plan/site-plan.ts';
import { bridge, cable, nodeCable, nodeLines, routerCable, routerLines, siteRoutes } from './attach.ts';
import { prepareCuts } from './cuts.ts';
import { inNamespace, ip } from './in-namespace.ts';
import { routerRules, routerSettings } from './router-rules.ts';

/**
 * Makes the network of a lab, and touches nothing of the host's own: every interface is made inside a namespace.
 *
 *   net:  br0 (10.213.0.1) ─ p1 ──── eth0 of a node (10.213.0.10)
 *                          ├ p2 ──── eth0 of a router (10.213.0.11), lan ─ n2 ──── eth0 of a node behind it (192.168.2.11)
 *                          └ w1 ──── eth0 of a carrier's router, lan ─ c2 ──── eth0 of the router of a site behind it …
 *         s1 (a subnet)    ┬ s1p1 ── eth1 of a node that leads to it (.2, .3 …)
 *                          └ s1h ─── eth0 of its host (.10)
 */
export async function buildNetwork(plan: LabPlan): Promise<void> {
  await writeHostFiles(plan);
  await ip(
    undefined,
    namespacesOf(plan).map((namespace) => `netns add ${namespace}`),
  );
  const cables = cablesByPlace(plan);
  await ip(plan.net, [
    ...switchLines(plan),
    ...(cables.get(plan.net) ?? []),
    ...plan.subnets.flatMap((subnet) => subnetLines(plan, subnet)),
  ]);
  await prepareCuts(plan.net);
  const connect = (site: PlannedSite) => connectRouter(plan, site, cables.get(site.namespace) ?? []);
  const isCustomer = ({ behind }: PlannedSite) => behind !== null;
  await atATime(
    AT_A_TIME,
    plan.sites.filter((site) => !isCustomer(site)),
    connect,
  );
  await atATime(AT_A_TIME, plan.sites.filter(isCustomer), connect);
  await atATime(AT_A_TIME, plan.nodes, (node) => connectNode(plan, node));
  if (plan.underlay.routers !== null) await ip(plan.net, siteRoutes(plan, null));
  await atATime(AT_A_TIME, plan.subnets, ({ cidr, host }) =>
    ip(host.namespace, ['link set lo up', `addr add ${host.address}/${prefixOf(cidr)} dev eth0`, 'link set eth0 up']),
  );
}

const AT_A_TIME = 4;

/** Each node has its own /etc/hosts and /etc/resolv.conf: its agent writes into them. There is no resolver beside it. */
async function writeHostFiles({ nodes, underlay }: LabPlan): Promise<void> {
  const { gateway, gateway6, coordinator_name } = underlay;
  const coordinator =
    coordinator_name === null ? [] : [gateway, gateway6].map((address) => `${address}\t${coordinator_name}`);
  const outside = underlay.routers === null ? [] : nodes.filter(({ site }) => site === null).flatMap(outsideNames);
  await Promise.all(
    nodes.map(async ({ name, namespace }) => {
      const folder = join(ETC_NETNS, namespace);
      await mkdir(folder, { recursive: true });
      const lines = [`127.0.0.1\tlocalhost ${name}`, '::1\tlocalhost ip6-localhost', ...coordinator, ...outside];
      await writeFile(join(folder, 'hosts'), `${lines.join('\n')}\n`);
      await writeFile(join(folder, 'resolv.conf'), 'options timeout:1 attempts:1\n');
    }),
  );
}

/** Those that are in no site have a name for all, by which each finds them with the family that it has. */
function outsideNames({ name, address, address6 }: PlannedNode): string[] {
  return [address, address6].flatMap((one) => (one === null ? [] : [`${one}\t${outsideName(name)}`]));
}

/** All of one place together, so that they cost one process. */
function cablesByPlace(plan: LabPlan): ReadonlyMap<string, readonly string[]> {
  const all = [
    ...plan.sites.map((site) => routerCable(plan, site)),
    ...plan.nodes.map((node) => nodeCable(plan, node)),
  ];
  const byPlace = Map.groupBy(all, ({ at }) => at);
  return new Map([...byPlace].map(([at, cables]) => [at, cables.flatMap(({ lines }) => lines)]));
}

function switchLines({ underlay }: LabPlan): string[] {
  return [
    'link set lo up',
    bridge('br0'),
    `addr add ${underlay.gateway}/${underlay.prefix} dev br0`,
    `addr add ${underlay.gateway6}/${underlay.prefix6} dev br0 nodad`,
    'link set br0 up',
    ...(underlay.routers === null ? [] : [`route add ${underlay.routers} dev br0`]),
  ];
}

function subnetLines({ nodes }: LabPlan, { bridge: name, providers, host }: PlannedSubnet): string[] {
  return [
    bridge(name),
    `link set ${name} up`,
    ...providers.flatMap((provider, index) => {
      const namespace = nodes.find((node) => node.name === provider.node)?.namespace;
      return cable(`${name}p${index + 1}`, name, `${provider.interface} netns ${namespace}`);
    }),
    ...cable(`${name}h`, name, `eth0 netns ${host.namespace}`),
  ];
}

async function connectRouter(plan: LabPlan, site: PlannedSite, cables: readonly string[]): Promise<void> {
  await ip(site.namespace, [...routerLines(plan, site), ...cables]);
  await inNamespace(site.namespace, 'nft', ['-f', '-'], routerRules(site));
  await inNamespace(site.namespace, 'sysctl', ['-qw', ...routerSettings(site)]);
}

async function connectNode(plan: LabPlan, node: PlannedNode): Promise<void> {
  await inNamespace(node.namespace, 'sysctl', ['-qw', 'net.ipv4.ping_group_range=0 2147483647']); // as on every Debian
  const legs = plan.subnets.flatMap(({ cidr, providers }) =>
    providers
      .filter((provider) => provider.node === node.name)
      .flatMap((leg) => [
        `addr add ${leg.address}/${prefixOf(cidr)} dev ${leg.interface}`,
        `link set ${leg.interface} up`,
      ]),
  );
  await ip(node.namespace, [...nodeLines(plan, node), ...legs]);
}

function prefixOf(cidr: string): string {
  return cidr.slice(cidr.indexOf('/') + 1);
}
