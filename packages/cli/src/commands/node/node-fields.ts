import type { NatMapping, Node } from '@meshwork/contract';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

/** What the network of a host does to WireGuard, for people. */
const NAT_WORDS: Readonly<Record<NatMapping, string>> = {
  none: 'none',
  'endpoint-independent': 'endpoint-independent: the same port for every peer',
  'address-dependent': 'address-dependent: another port for each peer',
  'udp-blocked': 'UDP is blocked',
};

/** In a column. */
export const NAT_KINDS: Readonly<Record<NatMapping, string>> = {
  none: 'none',
  'endpoint-independent': 'endpoint-independent',
  'address-dependent': 'address-dependent',
  'udp-blocked': 'UDP blocked',
};

/** A node for people: what is null or empty is left out, except when it was last seen. */
export function nodeFields(node: Node): string {
  const pairs: [string, string | null][] = [
    ['id', node.id],
    ['name', node.name],
    ['state', `${node.state} since ${when(node.state_since)}`],
    ['drifts', node.drift_since && `since ${when(node.drift_since)}; \`mesh node posture ${node.name}\` says how`],
    ['heartbeat', node.heartbeat === null ? 'never' : when(node.heartbeat)],
    ['addresses', `${node.address}, ${node.address6}`],
    ['endpoints', list(node.endpoints)],
    ['seen from', node.seen_from],
    ['tags', list(node.tags)],
    ['services', list(node.service_bindings.map(serviceText))],
    ['NAT', node.nat && NAT_WORDS[node.nat]],
    ['names', node.names && namesText(node.names)],
    ['relay', node.relay && (node.pinned_relay === null ? node.relay : `${node.relay} (pinned)`)],
    ['chosen', node.relay_choice && `${node.relay_choice.why} (${when(node.relay_choice.chosen_at)})`],
    ['standby relay', node.standby_relay],
    ['relayed at', list((node.relayed ?? []).map(({ relay, endpoint }) => `${endpoint} (${relay})`))],
    ['routes', list(node.routes)],
    ['offers', list(node.routes_offered)],
    ['may forward to', list(node.routes_approved)],
    ['shared', list(node.routes_shared)],
    ['forwards to', list(node.routes_provided)],
    [
      'overlaps',
      node.routes_overlapping.length === 0
        ? null
        : `${node.routes_overlapping.join(', ')} (a network of another boundary)`,
    ],
    ['refused', list(node.routes_refused.map(({ reason }) => reason))],
    ['accepts routes', node.accept_routes],
    ['grants', list(node.acl_matches)],
    ['identity key', node.identity_key],
    ['wireguard key', node.wireguard_key],
    ['agent', node.agent_version],
    ['engines', list(Object.entries(node.abilities?.engines ?? {}).map(([name, version]) => `${name} ${version}`))],
    ['carries', list(node.abilities?.sections ?? [])],
    ['clock skew', node.clock_skew_s === null ? null : `${node.clock_skew_s} s`],
    ['enrolled', `${when(node.created_at)} by ${node.created_by.name}`],
  ];
  return fields(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
}

function serviceText({ name, protocol, port, health }: Node['service_bindings'][number]): string {
  const where = `${name} (${protocol}:${port})`;
  return health === undefined ? where : `${where} ${health}`;
}

function namesText({ resolver, problem }: NonNullable<Node['names']>): string {
  return problem === undefined ? `by ${resolver}` : `by ${resolver}: ${problem}`;
}

function list(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.join(', ');
}
