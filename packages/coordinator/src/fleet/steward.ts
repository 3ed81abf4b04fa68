/**
 * Who relays, forwards and serves: what the coordinator concludes by itself from what people decided and nodes report.
 * The `choose-*.ts` files say whom, without knowing anything else; `assign-relay.ts`, `provide-route.ts`,
 * `note-overlaps.ts` and `place-ingress.ts` write it down; `touch.ts` says what has to be looked at again after which change.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { IngressId, NodeId } from '@meshwork/contract';
import type { Leadership } from '@meshwork/store';
import { COORDINATOR } from '../mesh/actor.ts';
import type { Kind } from '../mesh/kinds.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Changed, ModelWatch } from '../mesh/model.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { assignRelay } from './assign-relay.ts';
import { FleetIndexes } from './fleet-indexes.ts';
import { noteOverlaps } from './note-overlaps.ts';
import { placeIngress } from './place-ingress.ts';
import { provideRoute } from './provide-route.ts';
import { isHealthy } from './relay-health.ts';
import type { RelayMeasurements } from './relay-measurements.ts';
import { Round, type Sources } from './round.ts';
import { touch } from './touch.ts';
import { type Slice, Touched } from './touched.ts';
import type { ConnectionCounts, RoundTrips } from './what-nodes-report.ts';

/** Changes that come closer together than this share a round. */
const EVERY_MS = 20;
/** What one transaction looks at, at most: everybody else's changes wait for it. */
const AT_ONCE = 100;
/** After the store refused a round. */
const RETRY_MS = 1000;

const cause = { actor: COORDINATOR, action: 'fleet.assign' };

/** Keeps assignments, routes and placements in line. Of several coordinators, the one that leads does it. */
export class Steward implements ModelWatch {
  readonly #mesh: Mesh;
  readonly #sources: Sources;
  readonly #failed: (error: unknown) => void;
  readonly #touched = new Touched();
  readonly #leadership: Leadership;
  readonly #closing = new AbortController();
  #leading = false;
  /** By relay, whether it was healthy when that was last looked at. */
  readonly #healthy = new Map<string, boolean>();
  #loop: Promise<void> | undefined;

  constructor(parts: {
    mesh: Mesh;
    round_trips: RoundTrips;
    measurements: RelayMeasurements;
    counts: ConnectionCounts;
    failed: (error: unknown) => void;
  }) {
    const { mesh, round_trips, measurements, counts, failed } = parts;
    this.#mesh = mesh;
    // Before the steward itself watches: an index is to follow a change before the steward asks what it touches.
    this.#sources = { indexes: new FleetIndexes(mesh.model), round_trips, measurements, counts };
    this.#failed = failed;
    mesh.model.watch(this);
    measurements.onChange((relay) => {
      this.#reviewHealth(relay);
      this.#start();
    });
    this.#leadership = mesh.journal.lead('steward', { gained: () => this.#lead(), lost: () => this.#follow() });
  }

  /**
   * A node sent a heartbeat, in which its connections may have ended. Cheap when it has nothing to give up. Acted on by
   * whichever coordinator heard it, leading or not: what a node observes is known only there.
   */
  heard(node: NodeId): void {
    const { indexes, counts, round_trips } = this.#sources;
    const isProvisional = this.#mesh.model.get('assignment', node)?.body.measured === false;
    if (isProvisional && round_trips.of(node).size > 0) this.#touched.nodes.add(node);
    for (const ingress of indexes.leaving.of(node)) {
      if (counts.connections(node, ingress as IngressId) === 0) this.#touched.ingresses.add(ingress);
    }
    this.#start();
  }

  changed<K extends Kind>(change: Changed<K>): void {
    if (!this.#leading) return;
    touch(change, { touched: this.#touched, indexes: this.#sources.indexes, model: this.#mesh.model });
    // Whether a node counts as a witness follows from these: it is let in, was heard, and is not overdue.
    if (change.kind !== 'liveness' && change.kind !== 'report' && change.kind !== 'node') return;
    for (const relay of this.#sources.measurements.relaysOf(change.id as NodeId)) this.#reviewHealth(relay);
  }

  settled(): void {
    this.#start();
  }

  reset(): void {
    if (this.#leading) this.#lead();
  }

  /** Resolves once there is nothing left to look at. */
  async idle(): Promise<void> {
    while (this.#loop !== undefined) await this.#loop;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.idle();
    await this.#leadership.release();
  }

  /** A relay that became healthy, or ceased to be, is a question to many nodes; one more witness is none. */
  #reviewHealth(name: string): void {
    const { model } = this.#mesh;
    const relay = this.#leading ? model.get('relay', name) : undefined;
    if (relay === undefined) return;
    const healthy = isHealthy(model, relay, this.#sources.measurements);
    if (healthy === this.#healthy.get(name)) return;
    this.#healthy.set(name, healthy);
    this.#touched.relays.add(name);
  }

  #lead(): void {
    this.#leading = true;
    this.#touched.all(this.#mesh.model, this.#sources.indexes);
    this.#start();
  }

  #follow(): void {
    this.#leading = false;
    this.#touched.clear();
  }

  #start(): void {
    if (this.#touched.isEmpty || this.#closing.signal.aborted) return;
    this.#loop ??= this.#work().finally(() => {
      this.#loop = undefined;
      // Something may have been touched between the last look and here.
      this.#start();
    });
  }

  async #work(): Promise<void> {
    await this.#pause(0); // lets everything that is arriving in this turn of the event loop join the first round
    while (!this.#touched.isEmpty && !this.#closing.signal.aborted) {
      const slice = this.#touched.take(AT_ONCE, this.#mesh.model, this.#sources);
      if (slice === undefined) return;
      try {
        await this.#mesh.transact(cause, (tx) => bringInLine(tx, slice, this.#sources));
        await this.#pause(EVERY_MS);
      } catch (error) {
        this.#touched.putBack(slice);
        this.#failed(error);
        await this.#pause(RETRY_MS);
      }
    }
  }

  /** Ends early when the steward is closed. */
  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }
}

/** Runs anew when another coordinator was faster, so all it counts on is made here. */
function bringInLine(tx: Transaction, slice: Slice, sources: Sources): void {
  const round = new Round(tx, sources);
  for (const cidr of slice.cidrs) {
    provideRoute(round, cidr);
    noteOverlaps(round, cidr);
  }
  for (const ingress of slice.ingresses) placeIngress(round, ingress);
  for (const node of slice.nodes) assignRelay(round, node);
}
