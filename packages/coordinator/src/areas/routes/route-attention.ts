import { type Attention, utc } from '@meshwork/contract';
import type { Stored } from '../../mesh/model.ts';
import { boundaryOfNode, isMember, stateSince } from '../../mesh/node-state.ts';
import { routeId } from '../../mesh/route-id.ts';
import type { Facts } from '../summary.ts';

export function* routeAttention(facts: Facts): Generator<Attention> {
  yield* routesDown(facts);
  yield* overlappingRoutes(facts);
  yield* refusedRoutes(facts);
  yield* unapprovedRoutes(facts);
}

interface Approved {
  readonly cidr: string;
  readonly nodes: Stored<'node'>[];
}

/** Networks that nodes may forward to, each within its boundary, by the id of its route. */
function approvedRoutes({ nodes }: Facts): ReadonlyMap<string, Approved> {
  const approved = new Map<string, Approved>();
  for (const { node } of nodes) {
    for (const cidr of node.body.routes_approved) {
      const id = routeId(boundaryOfNode(node.body), cidr);
      const known = approved.get(id);
      if (known === undefined) approved.set(id, { cidr, nodes: [node] });
      else known.nodes.push(node);
    }
  }
  return approved;
}

/** Approved networks that no online node forwards to. */
function* routesDown(facts: Facts): Generator<Attention> {
  const { model } = facts;
  for (const [id, { cidr, nodes }] of approvedRoutes(facts)) {
    const provider = model.get('route', id)?.body.provider;
    if (provider !== undefined && model.get('liveness', provider) === undefined) continue;
    const offering = nodes.filter((node) => model.get('report', node.id)?.body.routes_offered.includes(cidr));
    const names = nodes.map(({ body }) => body.name).join(', ');
    const isOffered = offering.length > 0;
    const [first] = isOffered ? offering : nodes;
    yield {
      kind: 'route_down',
      severity: isOffered ? 'critical' : 'warning',
      subject: { kind: 'route', id: cidr, name: cidr },
      title: `No node forwards to ${cidr}`,
      detail: isOffered
        ? `It is approved on ${names}. None of them that offers it is online and able to serve.`
        : `It is approved on ${names}, but not offered there.`,
      since: first === undefined ? null : stateSince(model, first),
      fix: isOffered
        ? 'Bring one of them back online, or approve the network on another node that can forward to it.'
        : 'Have the agent of one of them offer the network, or withdraw the approval.',
    };
  }
}

function* unapprovedRoutes({ model, nodes }: Facts): Generator<Attention> {
  for (const { node } of nodes) {
    if (!isMember(node.body)) continue;
    const offered = model.get('report', node.id)?.body.routes_offered ?? [];
    const waiting = offered.filter((cidr) => !node.body.routes_approved.includes(cidr));
    if (waiting.length === 0) continue;
    yield {
      kind: 'route_unapproved',
      severity: 'notice',
      subject: { kind: 'node', id: node.id, name: node.body.name },
      title: `Node ${node.body.name} offers networks that are not approved`,
      detail: `It can forward to ${waiting.join(', ')}.`,
      since: null,
      fix: 'Approve the networks that peers should reach through it. Until then it does not forward to them.',
    };
  }
}

/** Networks that another boundary uses too. Its name and its owner there are not shown. */
function* overlappingRoutes(facts: Facts): Generator<Attention> {
  for (const [id, { cidr, nodes }] of approvedRoutes(facts)) {
    const overlap = facts.model.get('overlap', id)?.body;
    if (overlap === undefined) continue;
    yield {
      kind: 'route_overlap',
      severity: 'warning',
      subject: { kind: 'route', id: cidr, name: cidr },
      title: `${cidr} overlaps a network of another boundary`,
      detail: `It is approved on ${nodes.map(({ body }) => body.name).join(', ')}. Nodes use a provider of their own boundary first.`,
      since: utc(overlap.since_ms),
      fix: 'If only one of the two is meant, withdraw the approval of the other.',
    };
  }
}

/** Offers that are ignored because no node can have such a network behind it. */
function* refusedRoutes({ model, nodes }: Facts): Generator<Attention> {
  for (const { node } of nodes) {
    const refused = model.get('report', node.id)?.body.routes_refused ?? [];
    if (refused.length === 0) continue;
    yield {
      kind: 'route_refused',
      severity: 'notice',
      subject: { kind: 'node', id: node.id, name: node.body.name },
      title: `Node ${node.body.name} offers networks that cannot be behind a node`,
      detail: `${refused.map(({ reason }) => reason).join('; ')}.`,
      since: null,
      fix: 'Restart its agent without them. The other networks that it offers are not affected.',
    };
  }
}
