/** One entry of what an answer advises, done completely: to the policy, to the nodes, to their hosts and to the link. */
import type { Explanation } from '../src/explain/explanation.ts';
import type { DestinationFacts, ExplainFacts, LinkFacts, NodeFacts } from '../src/explain/facts.ts';
import type { FirewallRule } from '../src/firewall/rule.ts';
import { changedBy, type Draft, engineOf, grantIn, stepsOf, written } from './policy-advice.ts';

/** What is to be done to the mesh, apart from the policy. */
interface Work {
  /** By the name of the node. */
  readonly nodes: Map<string, (node: NodeFacts) => NodeFacts>;
  /** Nodes that become members. */
  readonly joining: Set<string>;
  /** Nodes that are back. */
  readonly woken: Set<string>;
  hasLink: boolean;
}

/** The facts afterwards. Undefined: a step is for others to do, changes the question, or needs another network. */
export function afterAll(facts: ExplainFacts, answer: Explanation, draft: Draft): ExplainFacts | undefined {
  const work: Work = { nodes: new Map(), joining: new Set(), woken: new Set(), hasLink: !hasStep(answer, 'link') };
  let now = draft;
  for (const step of stepsOf(answer.fix[0] ?? '')) {
    if (ELSEWHERE.test(step)) return undefined;
    const grant = grantIn(step);
    const changed = grant === undefined ? changedBy(step, now, answer) : written(step, grant, now);
    if (changed !== undefined) now = changed;
    else doStep(step, work, answer);
  }
  return factsAfter(ofSameEnds(facts, answer), work, now);
}

/** Once a grant is there, another provider may be nearer: the answer was about this one. */
function ofSameEnds(facts: ExplainFacts, { to }: Explanation): ExplainFacts {
  const { destination } = facts;
  const isSame = ({ node }: { readonly node: NodeFacts }) => node.id === to.id;
  if (destination.kind === 'service') {
    return { ...facts, destination: { ...destination, candidates: destination.candidates.filter(isSame) } };
  }
  if (destination.kind !== 'address') return facts;
  return { ...facts, destination: { ...destination, providers: destination.providers.filter(isSame) } };
}

const ELSEWHERE =
  /^(?:Ask an operator (?:to|who can change the policy for)|Offer its network|Let a node forward|Use |Declare |Did you mean|Check the routes)/;

function hasStep({ steps }: Explanation, check: string): boolean {
  return steps.some((step) => step.check === check);
}

const WELL = { in_sync: true, applied_revision: 8, desired_revision: 8, error: null, reason: null };
/** One that answered still does, whatever its rules say. */
const healthy = (node: NodeFacts): NodeFacts => ({
  ...node,
  looked: node.looked?.answered ? { ...node.looked, s_ago: 1 } : null,
  connection_lost_s_ago: null,
});
const applied = (node: NodeFacts): NodeFacts => ({
  ...node,
  applied: { self: WELL, peers: WELL, acl: WELL, firewall: WELL },
  looked: node.looked?.answered ? { ...node.looked, filter: null } : node.looked,
});
const accepting =
  (more: Pick<FirewallRule, 'direction' | 'protocol'>) =>
  (node: NodeFacts): NodeFacts => {
    const rule = { id: 'ours', enabled: true, nodes: ['*'], interface: 'any', action: 'accept', ...more } as const;
    return { ...node, firewall: [rule, ...node.firewall] };
  };

/** Throws for what no answer should advise. */
function doStep(step: string, work: Work, { from, to, steps }: Explanation): void {
  const change = (name: string, ...changes: readonly ((node: NodeFacts) => NodeFacts)[]) => {
    const before = work.nodes.get(name) ?? ((node: NodeFacts) => node);
    work.nodes.set(name, (node) => changes.reduce((so, one) => one(so), before(node)));
  };
  const both = (...changes: readonly ((node: NodeFacts) => NodeFacts)[]) => {
    for (const name of new Set([from.name, to.name])) change(name, ...changes);
  };
  const opened = (['in', 'out', 'forward'] as const).map((direction) => accepting({ direction, protocol: 'any' }));
  const rows: readonly (readonly [RegExp, (name: string, more: string) => void])[] = [
    [
      /^Find out why (\S+) is offline/,
      (name) => {
        work.woken.add(name);
        change(name, healthy, applied, (node) => ({ ...node, state: 'active', last_seen_s_ago: 1 }));
      },
    ],
    [
      /^(?:Approve|Release|Enrol|Check) (\S+?)(?: again| once| itself|:)/,
      (name) => {
        work.joining.add(name);
        change(name, healthy, applied, (node) => ({ ...node, state: 'active', last_seen_s_ago: 1 }));
      },
    ],
    [
      /^Check the agent on (\S+) and/,
      (name) => {
        change(name, healthy);
        // What it says of its links once it answers is part of that.
        if (steps.some(({ check, outcome }) => check === 'link' && outcome !== 'pass')) work.hasLink = true;
      },
    ],
    [
      /^Start the agent on (\S+) with --accept-routes (\w+)/,
      (name, setting) => change(name, (node) => ({ ...node, accept_routes: setting === 'all' ? 'all' : 'subnets' })),
    ],
    [/^Change firewall rules? .* that accepts this on (\S+)\.$/, (name) => change(name, ...opened)],
    [
      /^Change firewall rules? .* so that (?:WireGuard's packets pass|the agent on (\S+) reaches)/,
      () => both(...opened),
    ],
    [
      /^Check (?:the rule of the other program|the routing rule|that address) on (\S+),/,
      (name) => change(name, withoutForeign),
    ],
    [/^Check (\S+) on (\S+)\.$/, (_, name) => change(name, (node) => ({ ...node, services: [] }))],
    [/^(?:Wait for the next heartbeat of|Fix what keeps) (\S+?)[, ]/, (name) => change(name, applied)],
    [/^Wait a moment until the agent on (\S+) has restored/, (name) => change(name, applied)],
    [
      /^(?:Restart|Wait for their|Wait a moment, and|Send traffic|Create a relay|Forward WireGuard)/,
      () => {
        work.hasLink = true;
      },
    ],
    [
      /^Check the network and the firewalls between/,
      () => {
        work.hasLink = true;
      },
    ],
  ];
  for (const [pattern, act] of rows) {
    const found = pattern.exec(step);
    if (found === null) continue;
    act(found[1] ?? '', found[2] ?? '');
    return;
  }
  throw new Error(`"${step}" is no known advice.`);
}

function withoutForeign(node: NodeFacts): NodeFacts {
  return { ...node, foreign: [] };
}

const REPORT = { path: 'direct', handshake_age_s: 5, heard: { s_ago: 1, came: true }, endpoint: null } as const;
const LINK: LinkFacts = { near: REPORT, far: REPORT, near_relay: null, far_relay: null };

function factsAfter(facts: ExplainFacts, work: Work, draft: Draft): ExplainFacts {
  const members = new Set(draft.members);
  for (const { id, name } of draft.nodes) if (work.joining.has(name)) members.add(id);
  const back = ({ name }: { readonly name: string }) => work.woken.has(name) || work.joining.has(name);
  const nodes = draft.nodes.map((node) => (back(node) ? { ...node, fresh: true } : node));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const node = (given: NodeFacts): NodeFacts => {
    const changed = work.nodes.get(given.name)?.(given) ?? given;
    const { tags, agent_version } = byId.get(given.id) ?? given;
    // Which rules of other programs WireGuard's packets meet is not known before there is a link.
    const foreign = work.hasLink ? [] : changed.foreign;
    return { ...changed, tags, agent_version, foreign };
  };
  const end = <One extends { readonly node: NodeFacts; readonly link: LinkFacts }>(one: One): One => ({
    ...one,
    node: node(one.node),
    link: work.hasLink ? LINK : one.link,
  });
  return {
    ...facts,
    engine: engineOf({ ...draft, nodes, members }),
    source: facts.source.kind === 'node' ? node(facts.source) : facts.source,
    destination: facts.destination.kind === 'missing' ? facts.destination : destinationAfter(facts.destination, end),
  };
}

function destinationAfter(
  given: DestinationFacts,
  end: <One extends { readonly node: NodeFacts; readonly link: LinkFacts }>(one: One) => One,
): DestinationFacts {
  switch (given.kind) {
    case 'node':
      return end(given);
    case 'service':
      return { ...given, candidates: given.candidates.map(end) };
    case 'address':
      return { ...given, providers: given.providers.map(end) };
  }
}
