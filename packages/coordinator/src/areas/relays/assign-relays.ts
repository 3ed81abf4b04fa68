/** Which node uses which relay: `choose-relay.ts` says whom, `assign-relay.ts` writes it down, and here is who has to be looked at. */
import type { NodeId } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import type { Kind } from '../../kinds/kinds.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Changed } from '../../mesh/model.ts';
import { changesRoles, mayStay } from '../../mesh/roles-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { RelayProofs } from '../../node-status/relay-proofs.ts';
import type { RoundTrips } from '../../node-status/what-nodes-report.ts';
import { assignRelay } from './assign-relay.ts';
import type { RelayIndexes } from './relay-indexes.ts';
import { RelayStandings, roomOf } from './relay-standings.ts';

/** What one transaction looks at, at most: other changes wait for it. */
const AT_ONCE = 100;

interface Sources {
  readonly mesh: Mesh;
  readonly indexes: RelayIndexes;
  readonly round_trips: RoundTrips;
  readonly proofs: RelayProofs;
}

/** Keeps the assignments of relays in line. */
export class AssignRelays implements Duty {
  readonly name = 'relays.assign';
  readonly #sources: Sources;
  readonly #indexes: RelayIndexes;
  /** Nodes whose relay is in question. */
  readonly #nodes = new Set<string>();
  /** Relays that are other than they were: a question to all their nodes, and to those that wait for one. */
  readonly #relays = new Set<string>();
  /** Relays that only lost a node, which may be good news for one that waits. */
  readonly #openings = new Set<string>();
  /** By relay, whether it was healthy when that was last looked at. */
  readonly #healthy = new Map<string, boolean>();
  #leading = false;
  #ask: () => void = () => undefined;

  readonly on: Notes = {
    node: (change) => {
      const { id, before, after } = change;
      this.#nodes.add(id);
      if (mayStay(before?.body) !== mayStay(after?.body)) this.#touchRelaysOf(id);
      this.#reviewWitness(change);
    },
    liveness: (change) => {
      const { id, before, after } = change;
      if ((before === undefined) !== (after === undefined)) this.#touchRelaysOf(id);
      this.#reviewWitness(change);
    },
    report: (change) => {
      const { id, before, after } = change;
      if (changesRoles(before?.body, after?.body)) {
        this.#nodes.add(id);
        this.#touchRelaysOf(id);
      }
      this.#reviewWitness(change);
    },
    relay: ({ id }) => void this.#relays.add(id),
    assignment: ({ before, after }) => {
      if (before !== undefined && before.body.relay !== after?.body.relay) this.#openings.add(before.body.relay);
    },
  };

  constructor(sources: Sources) {
    this.#sources = sources;
    this.#indexes = sources.indexes;
    sources.proofs.onChange((relay) => {
      this.#reviewHealth(relay);
      this.#ask();
    });
  }

  get pending(): boolean {
    return this.#nodes.size + this.#relays.size + this.#openings.size > 0;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  begin(): void {
    this.#leading = true;
    const { model } = this.#sources.mesh;
    for (const kind of ['node', 'assignment'] as const) for (const { id } of model.all(kind)) this.#nodes.add(id);
  }

  end(): void {
    this.#leading = false;
    for (const set of [this.#nodes, this.#relays, this.#openings]) set.clear();
  }

  /** A node sent a heartbeat, in which it may have measured relays for the first time. */
  onHeartbeat(node: NodeId): void {
    const { mesh, round_trips } = this.#sources;
    if (mesh.model.get('assignment', node)?.body.measured !== false || round_trips.of(node).size === 0) return;
    this.#nodes.add(node);
    this.#ask();
  }

  async run(): Promise<void> {
    this.#spread();
    const { mesh, round_trips, proofs } = this.#sources;
    await workOnSome(this.#nodes, AT_ONCE, (nodes) =>
      mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        // Made anew when another coordinator was faster: all that a choice counts on is in here.
        const relays = new RelayStandings(tx, this.#indexes, proofs);
        for (const node of nodes) assignRelay({ tx, relays, round_trips }, node);
      }),
    );
  }

  #touchRelaysOf(node: string): void {
    for (const name of this.#indexes.run.of(node)) this.#relays.add(name);
  }

  /** Whether a node counts as a witness of relays: it is a member, has sent a heartbeat, and is not overdue. */
  #reviewWitness({ id }: Changed<Kind>): void {
    for (const relay of this.#sources.proofs.relaysOf(id as NodeId)) this.#reviewHealth(relay);
  }

  /** A relay that became healthy, or ceased to be, is a question to many nodes; one more witness is none. */
  #reviewHealth(name: string): void {
    const { mesh, proofs } = this.#sources;
    const relay = this.#leading ? mesh.model.get('relay', name) : undefined;
    if (relay === undefined) return;
    const healthy = isHealthy(mesh.model, relay, proofs);
    if (healthy === this.#healthy.get(name)) return;
    this.#healthy.set(name, healthy);
    this.#relays.add(name);
  }

  /** From relays to nodes. */
  #spread(): void {
    const { mesh, proofs } = this.#sources;
    const { assigned, pinned, waiting } = this.#indexes;
    for (const relay of this.#relays) {
      for (const id of assigned.of(relay)) this.#nodes.add(id);
      for (const id of pinned.of(relay)) this.#nodes.add(id);
      this.#openings.add(relay);
    }
    if (this.#openings.size > 0 && waiting.size > 0) {
      const { byName } = new RelayStandings(mesh.model, this.#indexes, proofs);
      const room = [...this.#openings].reduce((sum, name) => {
        const relay = byName.get(name);
        return sum + (relay === undefined ? 0 : roomOf(relay));
      }, 0);
      // Some who wait may be the relays' own nodes, which cannot use the room that there is.
      if (room > 0) for (const id of waiting.values().take(room + byName.size)) this.#nodes.add(id);
    }
    this.#relays.clear();
    this.#openings.clear();
  }
}
