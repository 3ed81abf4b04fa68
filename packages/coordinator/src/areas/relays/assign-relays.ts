/**
 * Which node uses which relay: `choose-relay.ts` says whom as its home, `choose-standby.ts` whom as its standby,
 * `nearer-relays.ts` when one is worth a move, `assign-relay.ts` writes it down, and here is who has to be looked at.
 */
import type { NodeId } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import type { Kind } from '../../kinds/kinds.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Changed } from '../../mesh/model.ts';
import { changesRoles, mayStay } from '../../mesh/roles-of.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { workOnSome } from '../../mesh/some-ids.ts';
import { isHealthy } from '../../node-status/relay-health.ts';
import type { RelayProofs } from '../../node-status/relay-proofs.ts';
import type { RoundTrips } from '../../node-status/what-nodes-report.ts';
import { assignRelay } from './assign-relay.ts';
import { isApart } from './choose-standby.ts';
import { NearerRelays } from './nearer-relays.ts';
import type { RelayIndexes } from './relay-indexes.ts';
import { freeOf, type RelayStanding, RelayStandings, roomOf } from './relay-standings.ts';

/** What one transaction looks at, at most: other changes wait for it. */
const AT_ONCE = 100;

interface Sources {
  readonly mesh: Mesh;
  readonly indexes: RelayIndexes;
  readonly round_trips: RoundTrips;
  readonly proofs: RelayProofs;
  /** In milliseconds, and never back. */
  now(): number;
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
  readonly #nearer = new NearerRelays();
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
      // One that is overdue does not arrive at its new relay, and keeps no place at one that is drained.
      const standby = this.#sources.mesh.model.get('assignment', id)?.body.standby ?? null;
      if (standby !== null && this.#sources.mesh.model.get('relay', standby)?.body.draining) this.#nodes.add(id);
      this.#reviewWitness(change);
    },
    report: (change) => {
      const { id, before, after } = change;
      if (changesRoles(before?.body, after?.body)) {
        this.#nodes.add(id);
        this.#touchRelaysOf(id);
      }
      // It may have arrived at its new relay, so that what it keeps of the old one can go.
      if (before?.body.relayed !== after?.body.relayed) this.#nodes.add(id);
      this.#reviewWitness(change);
    },
    relay: ({ id }) => void this.#relays.add(id),
    assignment: ({ id, before, after }) => {
      if (before !== undefined && before.body.relay !== after?.body.relay) this.#openings.add(before.body.relay);
      const standby = before?.body.standby ?? null;
      if (standby !== null && standby !== after?.body.standby) this.#openings.add(standby);
      if (before?.body.relay !== after?.body.relay) this.#nearer.forget(id as NodeId);
      if (after !== undefined) this.#makeRoom(after.body.relay);
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
    this.#nearer.clear();
    for (const set of [this.#nodes, this.#relays, this.#openings]) set.clear();
  }

  /**
   * A node sent a heartbeat, in which it may have measured relays for the first time, or one may be nearer for long enough. Most
   * heartbeats say nothing of relays, and cost nothing here.
   */
  onHeartbeat(node: NodeId, hasMeasured: boolean): void {
    const { mesh, round_trips, now } = this.#sources;
    const assignment = mesh.model.get('assignment', node)?.body;
    if (assignment === undefined || (assignment.measured && !hasMeasured && !this.#nearer.has(node))) return;
    const measured = round_trips.of(node);
    if (measured.size === 0) return;
    const rule = settingsOf(mesh.model).relays;
    const isNear = this.#nearer.note(node, assignment.relay, measured, rule, now());
    if (assignment.measured && !isNear) return;
    this.#nodes.add(node);
    this.#ask();
  }

  async run(): Promise<void> {
    this.#spread();
    const { mesh, round_trips, proofs, now } = this.#sources;
    const nearer = (node: NodeId) => this.#nearer.of(node, now());
    await workOnSome(this.#nodes, AT_ONCE, (nodes) =>
      mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
        // Made anew when another coordinator was faster: all that a choice counts on is in here.
        const relays = new RelayStandings(tx, this.#indexes, proofs);
        for (const node of nodes) assignRelay({ tx, relays, round_trips, nearer }, node);
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

  /** Homes come first: where they need the place, standbys go elsewhere. */
  #makeRoom(relay: string): void {
    const capacity = this.#sources.mesh.model.get('relay', relay)?.body.capacity;
    const { assigned, standby } = this.#indexes;
    const standbys = standby.of(relay);
    const over = capacity === undefined ? 0 : assigned.of(relay).size + standbys.size - capacity;
    if (over > 0) for (const id of standbys.values().take(over)) this.#nodes.add(id);
  }

  /** From relays to nodes. */
  #spread(): void {
    const { mesh, proofs } = this.#sources;
    const { assigned, standby, pinned, waiting, alone } = this.#indexes;
    for (const relay of this.#relays) {
      for (const id of assigned.of(relay)) this.#nodes.add(id);
      for (const id of standby.of(relay)) this.#nodes.add(id);
      for (const id of pinned.of(relay)) this.#nodes.add(id);
      this.#openings.add(relay);
    }
    if (this.#openings.size > 0 && waiting.size + alone.size + this.#relays.size > 0) {
      const { byName } = new RelayStandings(mesh.model, this.#indexes, proofs);
      const open = [...this.#openings].flatMap((name) => byName.get(name) ?? []).filter((relay) => roomOf(relay) > 0);
      const room = open.reduce((sum, relay) => sum + roomOf(relay), 0);
      const free = open.reduce((sum, relay) => sum + Math.max(0, freeOf(relay)), 0);
      // Some who wait may be the relays' own nodes, which cannot use the room that there is.
      if (room > 0) for (const id of waiting.values().take(room + byName.size)) this.#nodes.add(id);
      if (free > 0) for (const id of alone.values().take(free + byName.size)) this.#nodes.add(id);
      if (free > 0 && this.#relays.size > 0) this.#spreadOverSites(byName, free);
    }
    this.#relays.clear();
    this.#openings.clear();
  }

  /** A relay came, or changed, and may be a standby of another site for nodes that have both of theirs at one. */
  #spreadOverSites(byName: ReadonlyMap<string, RelayStanding>, free: number): void {
    const changed = [...this.#relays].flatMap((name) => byName.get(name) ?? []);
    let left = free;
    for (const { id, body } of this.#sources.mesh.model.all('assignment')) {
      const home = byName.get(body.relay);
      const standby = byName.get(body.standby ?? '');
      if (standby === undefined || isApart(home, standby) || !changed.some((relay) => isApart(home, relay))) continue;
      this.#nodes.add(id);
      left -= 1;
      if (left === 0) return;
    }
  }
}
