import type { NodeId } from '@meshwork/contract';
import type { Mark } from '@meshwork/store';
import type { Mesh } from '../mesh/mesh.ts';
import type { PresenceKeeper } from '../mesh/presence.ts';
import type { ListeningTime } from './listening-time.ts';
import { markBody, parseMark } from './mark-body.ts';
import { type NodeStatus, unseen } from './node-status.ts';
import { PastWays } from './past-ways.ts';
import { RelayProofs } from './relay-proofs.ts';

/** The mark that says until when some coordinator was listening. */
const LISTENING = 'coordinator';

/** Everything that heartbeats say and that is not worth a commit. */
export class NodeStatuses implements PresenceKeeper {
  readonly proofs = new RelayProofs();
  readonly past_ways = new PastWays();
  readonly #mesh: Mesh;
  readonly #time: ListeningTime;
  readonly #statuses = new Map<NodeId, NodeStatus>();
  readonly #timer: NodeJS.Timeout;
  /** The wall clock when a coordinator last listened before this one started. Undefined: none ever did. */
  readonly #listenedUntil: number | undefined;
  readonly #startedMs: number;
  readonly #listensSince: number;

  constructor(mesh: Mesh, time: ListeningTime) {
    this.#mesh = mesh;
    this.#startedMs = mesh.clock.now();
    this.#time = time;
    this.#listensSince = time.now();
    this.#listenedUntil = mesh.presence.lastSeen(LISTENING);
    mesh.presence.keepWith(this);
    mesh.model.watch({
      changed: ({ kind, id, after }) => {
        if (kind !== 'node' || after !== undefined) return;
        this.#statuses.delete(id as NodeId);
        this.proofs.forget(id as NodeId);
      },
    });
    const listening = () => mesh.presence.saw(LISTENING, mesh.clock.now());
    listening();
    this.#timer = setInterval(listening, 1000).unref();
  }

  /** In listening time. */
  now(): number {
    return this.#time.now();
  }

  /** For how long this coordinator has been listening. */
  listened_ms(): number {
    return this.#time.now() - this.#listensSince;
  }

  of(id: NodeId): NodeStatus {
    let status = this.#statuses.get(id);
    if (status === undefined) {
      status = unseen(this.#enrolledAt(id));
      this.#statuses.set(id, status);
    }
    return status;
  }

  /** How long the node has been silent, in listening time. */
  silent_ms(id: NodeId): number {
    return this.#time.now() - this.of(id).seen_at;
  }

  received(id: NodeId, status: NodeStatus, now_ms: number): void {
    status.seen_at = this.#time.now();
    status.lost_at = undefined;
    status.heartbeat_ms = now_ms;
    const { relay_proofs } = status.observed;
    if (relay_proofs !== undefined) this.proofs.note(id, relay_proofs);
    this.#mesh.presence.saw(id, now_ms);
  }

  roundTrips(id: NodeId): ReadonlyMap<string, number> {
    const relays = this.#statuses.get(id)?.observed.relays ?? [];
    return new Map(relays.map(({ name, rtt_ms }) => [name, rtt_ms]));
  }

  /** Null: the node has not said. */
  connections(id: NodeId, ingress: string): number | null {
    const reported = this.#statuses.get(id)?.observed.ingress;
    if (reported === undefined) return null;
    return reported.find((one) => one.id === ingress)?.connections ?? 0;
  }

  isDrained(id: NodeId, ingress: string): boolean {
    const reported = this.#statuses.get(id)?.observed.ingress;
    if (reported === undefined) return false;
    const own = reported.find((one) => one.id === ingress);
    return own === undefined || (own.refuses === true && own.connections === 0);
  }

  refuses(id: NodeId, ingress: string): boolean {
    return this.#statuses.get(id)?.observed.ingress?.find((one) => one.id === ingress)?.refuses === true;
  }

  ended(id: NodeId, ingress: string) {
    const own = this.#statuses.get(id)?.observed.ingress?.find((one) => one.id === ingress);
    return { cut: own?.cut ?? 0, deadline: own?.deadline ?? null };
  }

  describe(key: string, at_ms: number): Mark {
    const status = this.#statuses.get(key as NodeId);
    if (status?.boot_id === undefined) return { key, at_ms, count: 0, body: null };
    return { key, at_ms, count: status.seq, body: markBody(status.boot_id, status) };
  }

  learned({ key, at_ms, count, body }: Mark): void {
    if (body === null || this.#mesh.model.get('node', key) === undefined) return; // not a node, or long gone
    const known = this.of(key as NodeId);
    if ((known.heartbeat_ms ?? 0) >= at_ms) return;
    const marked = parseMark(count, body);
    if (known.boot_id !== marked.boot_id) Object.assign(known, { reported_all: false, requested_all: false });
    const { relays, relay_proofs, ...rest } = marked;
    Object.assign(known, rest, { in_sync_as_of: -1 });
    if (relays !== undefined) known.observed = { ...known.observed, relays };
    if (relay_proofs !== undefined) {
      known.observed = { ...known.observed, relay_proofs };
      this.proofs.note(key as NodeId, relay_proofs);
    }
    known.heartbeat_ms = at_ms;
    known.seen_at = Math.max(known.seen_at, this.#time.now() - this.#silence_ms(at_ms));
    known.applied_at = known.seen_at;
    known.lost_at = undefined; // it went to another coordinator
    known.elsewhere_ms = this.#mesh.clock.now();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * How much of the time since a moment of the wall clock counts as silence: only that during which a coordinator was
   * listening.
   */
  #silence_ms(at_ms: number): number {
    const until = this.#listenedUntil ?? at_ms;
    const before = Math.max(0, until - at_ms);
    const since = Math.max(0, this.#mesh.clock.now() - Math.max(at_ms, this.#startedMs));
    return before + since;
  }

  #enrolledAt(id: NodeId): number {
    const created_at = this.#mesh.model.get('node', id)?.body.created_at;
    if (created_at === undefined) return this.#time.now();
    return this.#time.now() - this.#silence_ms(Date.parse(created_at));
  }
}
