import {
  covers,
  DEFAULT_GRAPH_NODES,
  MAX_GRAPH_LINKS,
  type NodeId,
  type NodeState,
  type PeerGraph,
} from '@meshwork/contract';
import type { Model, Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import { VisibleRelays } from '../../mesh/visible-relays.ts';
import type { NodeStatus, SeenLink } from '../../node-status/node-status.ts';
import type { Cohort, Reach } from '../../views/reach.ts';
import type { Call } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { linkStanding } from './link-standing.ts';

/**
 * Reports that one answer reads. Two thousand nodes that all know each other have four million: too many to draw, and
 * every other request would wait for them.
 */
const MAX_LOOKS = 100_000;

interface Shown {
  readonly node: Stored<'node'>;
  readonly state: NodeState;
  readonly status: NodeStatus;
}

export function peerGraph(runtime: Runtime, call: Call<'peers.graph'>): PeerGraph {
  const limit = call.query.limit ?? DEFAULT_GRAPH_NODES;
  const relays = new VisibleRelays(runtime.mesh.model, call.actor.scope);
  const shown: Shown[] = [];
  let nodes_total = 0;
  for (const { node, state } of wantedNodes(runtime.mesh.model, call)) {
    nodes_total += 1;
    if (shown.length < limit) shown.push({ node, state, status: runtime.statuses.of(node.id as NodeId) });
  }
  const { links, links_total, isWhole } = linksAmong(shown, runtime, call.now_ms);
  return {
    nodes: shown.map((one) => graphNode(runtime.mesh.model, one, relays)),
    links,
    nodes_total,
    links_total,
    truncated: nodes_total > shown.length || links_total > links.length || !isWhole,
  };
}

/** As the list of nodes finds them, oldest first. Removed ones have no links. */
function* wantedNodes(model: Model, { query, actor }: Call<'peers.graph'>) {
  const part = query.q?.toLowerCase();
  for (const node of model.after('node', undefined)) {
    const { tags, name, address, address6 } = node.body;
    const state = nodeState(model, node);
    if (query.state === undefined ? state === 'removed' : state !== query.state) continue;
    if (!covers(actor.scope, boundaryOfNode(node.body))) continue;
    if (query.tag !== undefined && !tags.includes(query.tag)) continue;
    if (part !== undefined && !name.includes(part) && address !== part && address6 !== part) continue;
    yield { node, state };
  }
}

function graphNode(model: Model, { node, state }: Shown, relays: VisibleRelays): PeerGraph['nodes'][number] {
  return {
    id: node.id,
    name: node.body.name,
    state,
    tags: [...node.body.tags],
    relay: relays.shown(model.get('assignment', node.id)?.body.relay),
    services: (model.get('report', node.id)?.body.services ?? []).map(({ name }) => name),
  };
}

interface Links {
  readonly links: PeerGraph['links'];
  readonly links_total: number;
  /** Whether every report was looked at. */
  readonly isWhole: boolean;
}

/** Each link once: where both ends report it, with the one that comes first. */
function linksAmong(shown: readonly Shown[], runtime: Runtime, now_ms: number): Links {
  const places = new Map(shown.map(({ node }, place) => [node.id as NodeId, place]));
  const peers = new PeersOfCohorts(runtime.views.reach);
  const links: PeerGraph['links'] = [];
  let links_total = 0;
  let looks = 0;
  for (const [a, one] of shown.entries()) {
    const id = one.node.id as NodeId;
    const isPeer = peers.of(id);
    for (const [peer, link] of one.status.links ?? NONE) {
      looks += 1;
      const b = places.get(peer);
      const other = b === undefined ? undefined : shown[b];
      if (b === undefined || other === undefined) continue;
      const back = other.status.links?.get(id);
      // One of both that were peers once may still speak of the other.
      if ((b < a && back !== undefined) || !isPeer(peer)) continue;
      links_total += 1;
      if (links.length === MAX_GRAPH_LINKS) continue;
      links.push({ a, b, ...linkStanding({ ...one, link }, { ...other, link: back }, now_ms) });
    }
    if (looks >= MAX_LOOKS) return { links, links_total, isWhole: a === shown.length - 1 };
  }
  return { links, links_total, isWhole: true };
}
const NONE: ReadonlyMap<NodeId, SeenLink> = new Map();

/** Who has to know whom, asked once for all nodes of a cohort. */
class PeersOfCohorts {
  readonly #reach: Reach;
  readonly #known = new Map<Cohort, ReadonlySet<Cohort>>();

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  of(node: NodeId): (other: NodeId) => boolean {
    const cohort = this.#reach.cohortOf(node);
    if (cohort === undefined) return () => false;
    const peers = this.#known.get(cohort) ?? new Set(this.#reach.peersOf(cohort));
    this.#known.set(cohort, peers);
    return (other) => {
      const its = this.#reach.cohortOf(other);
      return its !== undefined && peers.has(its);
    };
  }
}
