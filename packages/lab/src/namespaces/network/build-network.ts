import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atATime } from '../../at-a-time.ts';
import { ETC_NETNS, UNDERLAY } from '../plan/fixed.ts';
import type { LabPlan, PlannedNode, PlannedSubnet } from '../plan/lab-plan.ts';
import { namespacesOf } from '../plan/places.ts';
import { prepareCuts } from './cuts.ts';
import { runWithUs } from './run.ts';

/**
 * Makes the network of a lab, and touches nothing of the host's own: every interface is made inside a namespace.
 *
 *   net:  br0 (10.213.0.1) ─ p1 ──── eth0 of a node (10.213.0.10)
 *                          ├ p2 ──── eth0 of a router (10.213.0.11), in0 ──── eth0 of a node behind NAT (192.168.2.2)
 *         s1 (a subnet)    ├ s1p1 ── eth1 of a node that leads to it (.2, .3 …)
 *                          └ s1h ─── eth0 of its host (.10)
 */
export async function buildNetwork(plan: LabPlan): Promise<void> {
  await writeHostFiles(plan);
  await ip(
    undefined,
    namespacesOf(plan).map((namespace) => `netns add ${namespace}`),
  );
  await ip(plan.net, [...switchLines(plan), ...plan.subnets.flatMap((subnet) => subnetLines(plan, subnet))]);
  await prepareCuts(plan.net);
  await atATime(AT_A_TIME, plan.nodes, (node) => connectNode(plan, node));
  await atATime(AT_A_TIME, plan.subnets, ({ cidr, host }) =>
    ip(host.namespace, ['link set lo up', `addr add ${host.address}/${prefixOf(cidr)} dev eth0`, 'link set eth0 up']),
  );
}

const AT_A_TIME = 4;

/** Each node has an /etc/hosts of its own: its agent writes into it. */
async function writeHostFiles({ nodes }: LabPlan): Promise<void> {
  await Promise.all(
    nodes.map(async ({ name, namespace }) => {
      const folder = join(ETC_NETNS, namespace);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'hosts'), `127.0.0.1\tlocalhost ${name}\n::1\tlocalhost ip6-localhost\n`);
    }),
  );
}

function switchLines({ nodes }: LabPlan): string[] {
  return [
    'link set lo up',
    // Forwards from the first moment on, and floods what it does not know: a switch that needs no time to learn.
    'link add br0 type bridge stp_state 0 forward_delay 0 mcast_snooping 0',
    `addr add ${UNDERLAY.gateway}/${UNDERLAY.prefix} dev br0`,
    `addr add ${UNDERLAY.gateway6}/${UNDERLAY.prefix6} dev br0 nodad`,
    'link set br0 up',
    ...nodes.flatMap(({ port, namespace, nat }, index) =>
      cable(port, 'br0', `eth0 address ${hardwareAddress(index)} netns ${nat?.namespace ?? namespace}`),
    ),
  ];
}

/** Of the port of a node, by its place in the plan. Of our own making, as the second bit says. */
function hardwareAddress(index: number): string {
  return `02:4d:45:53:${hex(index >> 8)}:${hex(index & 0xff)}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/**
 * Permanent entries for all others on the switch. The kernel has room for some thousand neighbours that it resolved itself,
 * in all namespaces together: fifty nodes that talk with each other have more, and would lose each other. Permanent ones do
 * not count.
 */
function neighbourLines({ nodes }: LabPlan, node: PlannedNode): string[] {
  return nodes.flatMap((other, index) => {
    if (other === node) return [];
    const six = node.address6 === null || other.address6 === null ? [] : [other.address6];
    return [other.address, ...six].map(
      (address) => `neigh add ${address} lladdr ${hardwareAddress(index)} dev eth0 nud permanent`,
    );
  });
}

function subnetLines({ nodes }: LabPlan, { bridge, providers, host }: PlannedSubnet): string[] {
  return [
    `link add ${bridge} type bridge stp_state 0 forward_delay 0 mcast_snooping 0`,
    `link set ${bridge} up`,
    ...providers.flatMap((provider, index) => {
      const namespace = nodes.find(({ name }) => name === provider.node)?.namespace;
      return cable(`${bridge}p${index + 1}`, bridge, `${provider.interface} netns ${namespace}`);
    }),
    ...cable(`${bridge}h`, bridge, `eth0 netns ${host.namespace}`),
  ];
}

function cable(port: string, bridge: string, end: string): string[] {
  return [`link add ${port} type veth peer name ${end}`, `link set ${port} master ${bridge} up`];
}

async function connectNode(plan: LabPlan, node: PlannedNode): Promise<void> {
  const { address, address6, nat, namespace } = node;
  await inNamespace(namespace, 'sysctl', ['-qw', 'net.ipv4.ping_group_range=0 2147483647']); // as on every Debian
  const legs = plan.subnets.flatMap(({ cidr, providers }) =>
    providers
      .filter((provider) => provider.node === node.name)
      .flatMap((leg) => [
        `addr add ${leg.address}/${prefixOf(cidr)} dev ${leg.interface}`,
        `link set ${leg.interface} up`,
      ]),
  );
  if (nat === null) {
    await ip(namespace, [
      ...onTheSwitch(address),
      `addr add ${address6}/${UNDERLAY.prefix6} dev eth0 nodad`,
      `route add default via ${UNDERLAY.gateway6}`,
      ...neighbourLines(plan, node),
      ...legs,
    ]);
    return;
  }
  await ip(nat.namespace, [
    ...onTheSwitch(address),
    ...neighbourLines(plan, node),
    `link add in0 type veth peer name eth0 netns ${namespace}`,
    `addr add ${nat.inner_gateway}/24 dev in0`,
    'link set in0 up',
  ]);
  await inNamespace(nat.namespace, 'nft', ['-f', '-'], ROUTER_RULES);
  await inNamespace(nat.namespace, 'sysctl', ['-qw', 'net.ipv4.ip_forward=1']);
  await ip(namespace, [
    'link set lo up',
    `addr add ${nat.inner_address}/24 dev eth0`,
    'link set eth0 up',
    `route add default via ${nat.inner_gateway}`,
    ...legs,
  ]);
}

function onTheSwitch(address: string): string[] {
  return [
    'link set lo up',
    `addr add ${address}/${UNDERLAY.prefix} dev eth0`,
    'link set eth0 up',
    `route add default via ${UNDERLAY.gateway}`,
  ];
}

/** A home router: drops what was not begun inside, without an answer. */
const ROUTER_RULES = `table ip router {
  chain out {
    type nat hook postrouting priority srcnat; policy accept;
    oifname "eth0" masquerade
  }
  chain in {
    type filter hook input priority filter; policy accept;
    iifname "eth0" ct state new,invalid drop
  }
  chain through {
    type filter hook forward priority filter; policy accept;
    iifname "eth0" ct state new,invalid drop
  }
}
`;

function prefixOf(cidr: string): string {
  return cidr.slice(cidr.indexOf('/') + 1);
}

/** Many changes by one process. Absent: in no namespace. */
async function ip(namespace: string | undefined, lines: readonly string[]): Promise<void> {
  const where = namespace === undefined ? [] : ['-n', namespace];
  await runWithUs('ip', [...where, '-batch', '-'], { input: `${lines.join('\n')}\n` });
}

async function inNamespace(namespace: string, command: string, args: readonly string[], input = ''): Promise<void> {
  await runWithUs('ip', ['netns', 'exec', namespace, command, ...args], { input });
}
