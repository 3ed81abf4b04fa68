/**
 * One nftables table for a node, of the policy and of the host rules. For a packet, in this order:
 *
 * 1. Fixed, and no rule can change it: loopback passes; errors by ICMP about a flow that is open pass (without them large
 *    packets vanish); what IPv6 needs to find its neighbours passes, except through the mesh, which has no neighbours to
 *    find; answers to a flow that the other direction was allowed to open pass. Answers are recognised by their direction and
 *    not by `ct state established`, which would keep a flow alive after its grant is gone. Answers that leave through the
 *    mesh are checked in 3: without that, a UDP server could go on sending for ever.
 * 2. The host rules in their order. `drop` is final and stronger than any grant. `accept` only skips the later ones.
 * 3. The policy, for what comes in through the mesh and for the answers to it: what no grant allows is counted and
 *    dropped. So no host rule opens the mesh, and when a grant goes, neither the node nor a server behind it can go on
 *    sending. Nothing behind the node may open a flow into the mesh: no grant says so.
 * 4. Everything else is accepted. The host’s own firewall is not ours: other tables still apply.
 *    A node that leads everywhere does not lead to what can never be behind a node, whatever a grant says.
 * 5. What the node forwards from the mesh to networks behind it gets the node’s own address there, so that hosts in them
 *    need no way back into the mesh. Answers have their mesh address again before the policy is checked for them.
 *
 * Nothing here accepts what the agent itself needs (its coordinator, names, WireGuard’s port). A table that lets them pass
 * would have to know addresses that only the host knows; instead `guard.ts` refuses rules that would drop them.
 *
 * An operator who flushes the connection tracking makes the kernel guess anew who opened a flow; the agent never does so.
 */
import { formatNetwork, intersect, isDefaultRoute } from '@meshwork/addresses';
import { type AclPeer, type AclSetName, type AclSets, aclSets, SET_NAMES, SET_TYPES } from './acl-sets.ts';
import { checkRule, isInterfaceName, rateProblems } from './check-rule.ts';
import { checkedNetwork } from './checked.ts';
import { hookChains } from './hook-chains.ts';
import { type HostRule, hostRules } from './host-rules.ts';
import type { FirewallRule, Rate } from './rule.ts';
import { type RuleLines, rateText, ruleLines } from './rule-lines.ts';
import { block, indented } from './table-text.ts';

export interface NodeInput {
  /** What the table is called. It belongs to us alone. */
  readonly table: string;
  /** The name of WireGuard’s interface. */
  readonly meshInterface: string;
  readonly peers: readonly AclPeer[];
  /** Those that hold on this node, in order: see `rulesFor`. */
  readonly rules: readonly FirewallRule[];
  /** How many of the packets that the policy denies are logged. Absent: none; they are always counted. */
  readonly logDenied?: Rate;
  /** UDP, where agents speak with each other through the mesh. What comes there passes, whatever the policy says. Absent: nothing does. */
  readonly agentPort?: number;
  /** Networks behind the node whose hosts see the node’s address, and not that of a peer. Absent or empty: none. */
  readonly translated?: readonly string[];
}

export interface CompiledNode {
  readonly table: string;
  /** For `nft -f`: replaces the table at once, or changes nothing. Equal inputs give equal texts. */
  readonly text: string;
  /** The same without what is in the sets. */
  readonly structure: string;
  readonly sets: AclSets;
  /** The input of `decide`. */
  readonly rules: readonly HostRule[];
}

export function compileNode(input: NodeInput): CompiledNode {
  assertSound(input);
  const { table, meshInterface, peers } = input;
  const enabled = input.rules.filter((rule) => rule.enabled);
  const lines = ruleLines(enabled, meshInterface);
  const sets = aclSets(peers);
  const write = (elements: (name: AclSetName) => readonly string[]) => tableText(input, lines, elements);
  return {
    table,
    text: write((name) => sets[name]),
    structure: write(() => []),
    sets,
    rules: hostRules(enabled, meshInterface),
  };
}

/** The last line of defence: names and rules are written into a text that root executes. */
function assertSound({ table, meshInterface, rules, logDenied }: NodeInput): void {
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(table)) throw new Error(`${JSON.stringify(table)} is no name for a table.`);
  if (!isInterfaceName(meshInterface)) throw new Error(`${JSON.stringify(meshInterface)} is no name of an interface.`);
  for (const rule of rules) {
    const [problem] = checkRule(rule);
    if (problem !== undefined)
      throw new Error(`Rule ${rule.id} was not checked: ${problem.pointer}: ${problem.detail}`);
  }
  const [wrong] = logDenied === undefined ? [] : rateProblems(logDenied);
  if (wrong !== undefined) throw new Error(`How much of what is denied is logged: ${wrong.pointer}: ${wrong.detail}`);
}

/** The table is named first so that deleting it works the first time too. */
function tableText(
  input: NodeInput,
  { limits, chains }: RuleLines,
  elements: (name: AclSetName) => readonly string[],
): string {
  const blocks = [
    block('counter denied_in', ['packets 0 bytes 0']),
    block('counter denied_forward', ['packets 0 bytes 0']),
    ...limits.map(({ name, rate }) => block(`limit ${name}`, [rate])),
    ...SET_NAMES.map((name) => block(`set ${name}`, [...SET_TYPES[name], ...elementLines(elements(name))])),
    ...Object.entries(chains).flatMap(([direction, rules]) =>
      rules.length === 0 ? [] : [block(`chain host_${direction}`, rules)],
    ),
    ...policyChains(input),
    ...hookChains(input.meshInterface, (direction) => chains[direction].length > 0),
    ...translatingChain(input),
  ];
  const name = `table inet ${input.table}`;
  return `${name}\ndelete ${name}\n${name} {\n${blocks.flat().map(indented).join('\n')}\n}\n`;
}

/** What goes back into the mesh keeps its address, also where a network covers that of the mesh. */
function translatingChain({ meshInterface, translated = [] }: NodeInput): readonly (readonly string[])[] {
  if (translated.length === 0) return [];
  const mesh = `"${meshInterface}"`;
  const lines = ([4, 6] as const).flatMap((family) => {
    const networks = widest(translated, family);
    if (networks.length === 0) return [];
    const there = `${family === 4 ? 'ip' : 'ip6'} daddr { ${networks.join(', ')} }`;
    return [`iifname ${mesh} oifname != ${mesh} ${there} masquerade`];
  });
  return [block('chain postrouting', ['type nat hook postrouting priority srcnat; policy accept;', ...lines])];
}

/** Those of one family, sorted, without those that another one contains: an element of a set must not overlap another. */
function widest(texts: readonly string[], family: 4 | 6): readonly string[] {
  const networks = texts.map(checkedNetwork).filter((network) => network.family === family);
  const kept = networks.filter(
    (network) => !networks.some((other) => other.prefix < network.prefix && intersect(other, network)),
  );
  return [...new Set(kept.sort((a, b) => (a.base < b.base ? -1 : 1)).map(formatNetwork))];
}

/**
 * A default route means everything else, and not what can never be behind a node: a peer must not get at what only the
 * host itself has, such as the metadata service of its cloud at 169.254.169.254.
 */
function neverForwarded(translated: readonly string[]): readonly string[] {
  const isDefault = (family: 4 | 6) =>
    translated.map(checkedNetwork).some((network) => network.family === family && isDefaultRoute(network));
  return [
    ...(isDefault(4) ? [`ip daddr { 0.0.0.0/8, 127.0.0.0/8, 169.254.0.0/16, 224.0.0.0/3 } goto denied_forward`] : []),
    ...(isDefault(6) ? [`ip6 daddr { ::/127, fe80::/10, ff00::/8 } goto denied_forward`] : []),
  ];
}

function policyChains({ logDenied, translated = [], agentPort }: NodeInput): readonly (readonly string[])[] {
  const denied = (place: 'in' | 'forward') =>
    block(`chain denied_${place}`, [
      // Its own line: with `drop` behind the limit, whatever is above the limit would pass.
      ...(logDenied === undefined
        ? []
        : [`limit ${rateText(logDenied)} log prefix "mesh denied ${place}: " level info`]),
      `counter name "denied_${place}" drop`,
    ]);
  const agents = agentPort === undefined ? [] : [`udp sport ${agentPort} udp dport ${agentPort} accept`];
  return [
    denied('in'),
    denied('forward'),
    block('chain policy_in', [...agents, ...granted('on', ['saddr'], 'dport'), 'goto denied_in']),
    block('chain policy_replies', [...agents, ...granted('on', ['daddr'], 'sport'), 'goto denied_in']),
    block('chain policy_forward', [
      ...neverForwarded(translated),
      ...granted('behind', ['saddr', 'daddr'], 'dport'),
      'goto denied_forward',
    ]),
    block('chain policy_answers', [...granted('behind', ['daddr', 'saddr'], 'sport'), 'goto denied_forward']),
  ];
}

/** Looks a packet up: first the peer, then for what is behind the node the other end, then protocol and port. */
function granted(
  place: 'on' | 'behind',
  ends: readonly ('saddr' | 'daddr')[],
  port: 'dport' | 'sport',
): readonly string[] {
  return ([4, 6] as const).flatMap((family) => {
    const [ip, icmp] = family === 4 ? ['ip', 'icmp'] : ['ip6', 'icmpv6'];
    const key = ends.map((end) => `${ip} ${end}`).join(' . ');
    return [
      `${key} @${place}_any${family} accept`,
      `${key} . meta l4proto . th ${port} @${place}_ports${family} accept`,
      `meta l4proto ${icmp} ${key} @${place}_icmp${family} accept`,
    ];
  });
}

function elementLines(elements: readonly string[]): readonly string[] {
  return elements.length === 0 ? [] : ['elements = {', ...elements.map((element) => `  ${element},`), '}'];
}
