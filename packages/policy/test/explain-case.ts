/** A question as the cases of `fixtures/explanations` write it, and the facts that a coordinator would gather for it. */

import { containsAddress, parseAddress, parseNetwork } from '@meshwork/addresses';
import type { PolicyDocument } from '../src/document/document.ts';
import { readPolicy } from '../src/document/read-policy.ts';
import { Engine } from '../src/engine/engine.ts';
import type {
  AppliedFacts,
  DestinationFacts,
  ExplainedSection,
  ExplainFacts,
  LinkFacts,
  LinkReport,
  MissingFacts,
  NodeFacts,
  OfferFacts,
  ServiceFacts,
} from '../src/explain/facts.ts';
import { parseWanted } from '../src/explain/wanted.ts';
import type { FirewallRule } from '../src/firewall/rule.ts';
import type { PolicyNode } from '../src/policy-node.ts';

/** Defaults: active, last seen 3 s ago, everything applied, all peers linked directly. */
interface CaseNode {
  readonly tags?: readonly string[];
  /** `team/surface/environment`. */
  readonly boundary?: string;
  readonly state?: NodeFacts['state'];
  readonly last_seen_s_ago?: number | null;
  readonly agent_version?: string | null;
  readonly provides?: readonly string[];
  /** Those of them that are for the whole mesh. */
  readonly shares?: readonly string[];
  readonly address6?: null;
  readonly applied?: Readonly<Partial<Record<ExplainedSection, Partial<AppliedFacts>>>>;
  readonly firewall?: readonly (Pick<FirewallRule, 'id' | 'direction' | 'action'> & Partial<FirewallRule>)[];
  readonly services?: readonly ServiceFacts[];
  readonly accept_routes?: NodeFacts['accept_routes'];
  readonly denied?: NodeFacts['denied'];
  /** Addresses of its own outside the mesh. */
  readonly has?: readonly string[];
  /** The caller may not see it. */
  readonly hidden?: true;
  /** Absent: its agent does not answer looks. `filter` absent: it is as it was applied. `dropped` is by rule. */
  readonly looked?: {
    readonly s_ago: number;
    readonly answered: boolean;
    readonly filter?: string;
    readonly dropped?: Readonly<Record<string, number>>;
  };
  readonly connection_lost_s_ago?: number;
  readonly foreign?: NodeFacts['foreign'];
  readonly certificate?: NodeFacts['certificate'];
  readonly names?: NodeFacts['names'];
  /** Where it is outside the mesh. WireGuard listens on 51820, and the coordinator is 192.0.2.200, port 443. */
  readonly underlay?: { readonly addresses: readonly string[]; readonly interfaces?: readonly string[] };
}

/** What one end reports of the other. Absent: nothing of a look, and no place. */
type CaseReport = Pick<LinkReport, 'path' | 'handshake_age_s'> & Partial<LinkReport>;
type CaseLink = Partial<Omit<LinkFacts, 'near' | 'far'>> & {
  readonly near?: CaseReport | null;
  readonly far?: CaseReport | null;
};

export interface ExplainCase {
  readonly about: string;
  readonly policy: object;
  readonly lapsed?: readonly number[];
  /** By name. The first has the addresses 100.64.0.1 and fd00:64::1, and so on. */
  readonly nodes: Readonly<Record<string, CaseNode>>;
  readonly question: { readonly from: string; readonly to: string; readonly port?: string };
  /** Absent: the caller may read all of it. */
  readonly whole_policy?: boolean;
  /** Names that may have been meant. */
  readonly near?: readonly string[];
  readonly offers?: readonly OfferFacts[];
  /** By the name of the other end. */
  readonly links?: Readonly<Record<string, CaseLink>>;
  /** Those that a name stands for. Absent: IPv4. */
  readonly families?: readonly (4 | 6)[];
}

const SEEN = { path: 'direct', handshake_age_s: 41, heard: null, endpoint: null } as const;
const LINK: LinkFacts = { near: SEEN, far: SEEN, near_relay: null, far_relay: null };
const APPLIED: AppliedFacts = {
  in_sync: true,
  applied_revision: 1184,
  desired_revision: 1184,
  error: null,
  reason: null,
};
const RULE = { enabled: true, nodes: ['*'], interface: 'mesh', protocol: 'any' } as const;
const OUTSIDE: readonly string[] = ['pending', 'quarantined', 'removed'];

export function factsOf(given: ExplainCase): ExplainFacts {
  const nodes = Object.entries(given.nodes).map(([name, node], index) => nodeFacts(name, node, index + 1));
  const members = nodes.filter(({ state }) => !OUTSIDE.includes(state));
  const { from, to, port } = given.question;
  const wanted = port === undefined ? null : parseWanted(port);
  if (wanted === undefined) throw new Error(`${port} is no port.`);
  const source = visible(given, nodes).find(({ name, id }) => name === from || id === from);
  return {
    question: { from, to, port: wanted },
    whole_policy: given.whole_policy ?? true,
    engine: Engine.compile({
      document: documentOf(given.policy),
      nodes: members.map((facts) => policyNode(facts, given.nodes[facts.name] ?? {})),
      lapsed: new Set(given.lapsed),
    }),
    source: source ?? missing(given),
    destination: destinationOf(given, nodes),
  };
}

function documentOf(policy: object): PolicyDocument {
  const reading = readPolicy(JSON.stringify(policy));
  if (!reading.ok) throw new Error(reading.problems.map(({ detail }) => detail).join(' '));
  return reading.document;
}

function missing({ near = [] }: ExplainCase): MissingFacts {
  return { kind: 'missing', near };
}

function visible({ nodes }: ExplainCase, all: readonly NodeFacts[]): readonly NodeFacts[] {
  return all.filter(({ name }) => nodes[name]?.hidden !== true);
}

function destinationOf(given: ExplainCase, all: readonly NodeFacts[]): DestinationFacts | MissingFacts {
  const { to } = given.question;
  const seen = visible(given, all);
  const link = ({ name }: NodeFacts) => linkFacts(given.links?.[name]);
  if (to.startsWith('service:')) {
    const name = to.slice('service:'.length);
    const offering = seen.filter(({ services }) => services.some((service) => service.name === name));
    const candidates = offering.map((node) => ({ node, link: link(node) }));
    return { kind: 'service', name, candidates, near: given.near ?? [] };
  }
  const address = parseAddress(to);
  const node = seen.find(({ name, id, address: four, address6 }) => [name, id, four, address6].includes(to));
  if (node !== undefined)
    return {
      kind: 'node',
      node,
      families: address === undefined ? (given.families ?? [4]) : [address.family],
      link: link(node),
    };
  if (address === undefined) return missing(given);
  const providers = all
    .filter(({ state }) => !OUTSIDE.includes(state))
    .flatMap((provider) =>
      (given.nodes[provider.name]?.provides ?? []).filter(contains(to)).map((network) => ({
        node: provider,
        network,
        link: link(provider),
        hidden: given.nodes[provider.name]?.hidden === true,
        is_own: given.nodes[provider.name]?.has?.includes(to) === true,
      })),
    );
  const holder = seen.find(({ name }) => name !== given.question.from && given.nodes[name]?.has?.includes(to));
  return { kind: 'address', address: to, in_mesh: isOfMesh(to), providers, offers: given.offers ?? [], holder };
}

function contains(address: string) {
  return (text: string) => {
    const network = parseNetwork(text);
    return network !== undefined && containsAddress(network, address);
  };
}

function isOfMesh(address: string): boolean {
  return contains(address)('100.64.0.0/10') || contains(address)('fd00:64::/64');
}

function nodeFacts(name: string, node: CaseNode, number: number): NodeFacts {
  const [team = '', surface = '', environment = ''] = (node.boundary ?? '*/*/*').split('/');
  const applied = (section: ExplainedSection) => ({ ...APPLIED, ...node.applied?.[section] });
  return {
    kind: 'node',
    id: `node_${name}`,
    name,
    address: `100.64.0.${number}`,
    address6: node.address6 === null ? null : `fd00:64::${number.toString(16)}`,
    state: node.state ?? 'active',
    last_seen_s_ago: node.last_seen_s_ago === undefined ? 3 : node.last_seen_s_ago,
    boundary: { team, surface, environment },
    tags: node.tags ?? [],
    agent_version: node.agent_version ?? null,
    applied: {
      self: applied('self'),
      peers: applied('peers'),
      acl: applied('acl'),
      firewall: applied('firewall'),
    },
    firewall: (node.firewall ?? []).map((rule) => ({ ...RULE, ...rule })),
    interface: 'mesh0',
    services: node.services ?? [],
    accept_routes: node.accept_routes ?? null,
    denied: node.denied ?? null,
    looked: lookFacts(node.looked),
    connection_lost_s_ago: node.connection_lost_s_ago ?? null,
    foreign: node.foreign ?? [],
    underlay: underlayFacts(node.underlay),
    certificate: node.certificate,
    names: node.names,
  };
}

function linkFacts(given: CaseLink = {}): LinkFacts {
  const report = (one: CaseReport | null | undefined) =>
    one === undefined ? SEEN : one === null ? null : { heard: null, endpoint: null, ...one };
  return { ...LINK, ...given, near: report(given.near), far: report(given.far) };
}

function lookFacts(given: CaseNode['looked']): NodeFacts['looked'] {
  if (given === undefined) return null;
  const { s_ago, answered, filter = null, dropped = {} } = given;
  return answered ? { s_ago, answered, filter, dropped: new Map(Object.entries(dropped)) } : { s_ago, answered };
}

function underlayFacts(given: CaseNode['underlay']): NodeFacts['underlay'] {
  if (given === undefined) return null;
  const { addresses, interfaces } = given;
  const coordinator = { addresses: ['192.0.2.200'], port: 443 };
  const needs = { coordinator, listenPort: 51_820, ...(interfaces === undefined ? {} : { interfaces }) };
  return { port: 51_820, addresses, needs };
}

function policyNode(
  { id, name, tags, boundary, agent_version, state }: NodeFacts,
  { provides = [], shares = [] }: CaseNode,
): PolicyNode {
  const fresh = state === 'active' || state === 'draining';
  return { id, name, tags, boundary, agent_version, provides, shares, fresh };
}
