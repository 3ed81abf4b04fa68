/** A mesh on a real store whose coordinator gives roles to nodes, to which documents are written as areas and heartbeats would. */

import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEATURES, type IngressId, type NodeId, newId, SECTION_NAMES, utc, WHOLE_MESH } from '@meshwork/contract';
import { openStore } from '@meshwork/store';
import { systemClock } from '@meshwork/time';
import { Scheduler } from '../src/duties/scheduler.ts';
import type { IngressDocument } from '../src/kinds/ingress.ts';
import type { BodyOf, Kind } from '../src/kinds/kinds.ts';
import type { NodeDocument } from '../src/kinds/nodes.ts';
import type { RelayDocument } from '../src/kinds/relays.ts';
import { COORDINATOR } from '../src/mesh/actor.ts';
import { EVENTS_LOG, type EventBody } from '../src/mesh/event-entry.ts';
import { Mesh } from '../src/mesh/mesh.ts';
import { RelayProofs } from '../src/node-status/relay-proofs.ts';
import { roleDuties } from './role-duties.ts';

const KEY = 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=';
const THEN = '2026-11-15T09:30:00Z';

export class TestFleet {
  readonly #folder: string;
  #mesh: Mesh | undefined;
  #duties: Scheduler | undefined;
  #onHeartbeat: (node: NodeId) => void = () => undefined;
  #made = 0;
  /** What nodes have measured and have open, by their ids. */
  readonly round_trips = new Map<NodeId, Map<string, number>>();
  readonly connections = new Map<string, number>();
  readonly failures: unknown[] = [];
  /** What round trips are timed by. */
  now_ms = 0;
  /** Which nodes prove which relays. Unless a test says otherwise, `witness` proves all of them. */
  readonly proofs = new RelayProofs();
  readonly witness = newId('node', Date.parse(THEN) - 1);

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<TestFleet> {
    const fleet = new TestFleet(await mkdtemp(join(tmpdir(), 'mesh-fleet-')));
    await fleet.up();
    return fleet;
  }

  get mesh(): Mesh {
    if (this.#mesh === undefined) throw new Error('The fleet is down.');
    return this.#mesh;
  }

  get duties(): Scheduler {
    if (this.#duties === undefined) throw new Error('The fleet is down.');
    return this.#duties;
  }

  /** As if the node had sent a heartbeat. */
  onHeartbeat(node: NodeId): void {
    this.#onHeartbeat(node);
  }

  async up(): Promise<void> {
    const journal = await openStore(`sqlite:${join(this.#folder, 'mesh.db')}`);
    const failed = (error: unknown) => void this.failures.push(error);
    const watch = { committed: () => undefined, failed };
    this.#mesh = await Mesh.open({ journal, clock: systemClock, master: createSecretKey(randomBytes(32)), watch });
    const { duties, onHeartbeat } = roleDuties(this.#mesh, {
      round_trips: { of: (node) => this.round_trips.get(node) ?? new Map() },
      proofs: this.proofs,
      now: () => this.now_ms,
      counts: {
        connections: (node, ingress) => this.connections.get(`${node} ${ingress}`) ?? null,
        isDrained: (node, ingress) => this.connections.get(`${node} ${ingress}`) === 0,
        refuses: () => true,
        ended: () => ({ cut: 0, deadline: null }),
      },
    });
    this.#onHeartbeat = onHeartbeat;
    this.#duties = new Scheduler({ mesh: this.#mesh, duties, failed });
    // It leads in a turn of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async down(): Promise<void> {
    await this.#duties?.close();
    await this.#mesh?.close();
    this.#mesh = undefined;
    this.#duties = undefined;
  }

  async close(): Promise<void> {
    await this.down();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Writes documents, and waits until no duty has anything left to do. Null deletes. */
  async write(...puts: readonly Write[]): Promise<void> {
    await this.mesh.transact({ actor: COORDINATOR, action: 'test.write' }, (tx) => {
      for (const { kind, id, body } of puts) {
        if (body === null) tx.delete(kind, id);
        else tx.put(kind, id, body);
      }
      tx.record({ target: null });
    });
    await this.duties.idle();
  }

  async node(name: string, more: Partial<NodeDocument> & { offers?: readonly string[] } = {}): Promise<NodeId> {
    const { writes, id } = this.newNode(name, more);
    await this.write(...writes);
    return id;
  }

  /** Ids in the order in which they are requested. */
  newNode(
    name: string,
    { offers, ...more }: Partial<NodeDocument> & { offers?: readonly string[] } = {},
  ): { id: NodeId; writes: readonly Write[] } {
    const id = newId('node', Date.parse(THEN) + this.#made++);
    const body: NodeDocument = {
      name,
      identity_key: KEY,
      wireguard_key: KEY,
      tags: [],
      address: '100.64.0.1',
      address6: 'fd00::1',
      routes_approved: offers ?? [],
      pinned_relay: null,
      created_at: THEN,
      created_by: { kind: 'system', id: null, name: 'test' },
      approved_at: THEN,
      quarantined: null,
      draining_since: null,
      removed_at: null,
      session_epoch: 1,
      ...more,
    };
    const report = {
      endpoints: [],
      services: [],
      routes_offered: offers ?? [],
      agent_version: null,
      abilities: { sections: [...SECTION_NAMES], engines: {}, features: [...FEATURES] },
      boots: ['first-boot'],
    };
    return { id, writes: [put('node', id, body), put('report', id, report)] };
  }

  /** What the agent of a node says that it can do within its sections. */
  async canDo(id: NodeId, features: readonly string[]): Promise<void> {
    const report = this.mesh.model.get('report', id)?.body;
    if (report === undefined) throw new Error(`There is no report of ${id}.`);
    const abilities = { sections: [...SECTION_NAMES], engines: {}, features: [...features] };
    await this.write(put('report', id, { ...report, abilities }));
  }

  async change(id: NodeId, change: Partial<NodeDocument>): Promise<void> {
    const node = this.mesh.model.get('node', id);
    if (node === undefined) throw new Error(`There is no node ${id}.`);
    await this.write(put('node', id, { ...node.body, ...change }));
  }

  stale(...ids: readonly NodeId[]): Promise<void> {
    return this.write(...ids.map((id) => put('liveness', id, { state: 'stale', since: THEN })));
  }

  fresh(...ids: readonly NodeId[]): Promise<void> {
    return this.write(...ids.map((id) => ({ kind: 'liveness' as const, id, body: null })));
  }

  /** A relay, or a change of one, on a node that is given or made for it. */
  async relay(name: string, more: Partial<RelayDocument> = {}): Promise<NodeId> {
    const before = this.mesh.model.get('relay', name)?.body;
    const node = more.node ?? before?.node ?? (await this.node(`on-${name}`));
    const fallback = { host: `${name}.example.net`, port: 3478, capacity: 500, draining: false, created_at: THEN };
    await this.#measure(name);
    await this.write(put('relay', name, { ...fallback, ...before, ...more, node }));
    return node;
  }

  /** By a node that uses no relay itself, so that it does not count in the load of any. */
  async #measure(relay: string): Promise<void> {
    if (this.mesh.model.get('node', this.witness) === undefined) {
      const { writes } = this.newNode('witness');
      const report = { endpoints: [], services: [], routes_offered: [], agent_version: null, boots: ['first-boot'] };
      const node = writes.find(({ kind }) => kind === 'node');
      if (node !== undefined) await this.write({ ...node, id: this.witness }, put('report', this.witness, report));
    }
    const names = new Set([...this.proofs.relaysOf(this.witness), relay]);
    this.proofs.note(
      this.witness,
      [...names].map((name) => ({ name, carries: true })),
    );
  }

  ingress(id: IngressId, more: Partial<IngressDocument> = {}): Promise<void> {
    return this.ingresses([id], more);
  }

  /** Ingresses, or a change of them, in one commit. */
  ingresses(ids: readonly IngressId[], more: Partial<IngressDocument> = {}): Promise<void> {
    return this.write(...ids.map((id) => this.#ingress(id, more)));
  }

  #ingress(id: IngressId, more: Partial<IngressDocument>): Write {
    const before = this.mesh.model.get('ingress', id)?.body;
    const fallback: IngressDocument = {
      name: 'web',
      hostname: 'web.example.net',
      service: 'web',
      scope: WHOLE_MESH,
      gateways: ['tag:role:gateway'],
      replicas: 1,
      draining: false,
      created_at: utc(Date.parse(THEN)),
    };
    return put('ingress', id, { ...fallback, ...before, ...more });
  }

  newIngressId(): IngressId {
    return newId('ingress', Date.parse(THEN) + this.#made++);
  }

  /** What the node says of its connections, as its heartbeat would. */
  async reportConnections(node: NodeId, ingress: IngressId, count: number): Promise<void> {
    this.connections.set(`${node} ${ingress}`, count);
    this.onHeartbeat(node);
    await this.duties.idle();
  }

  relayOf(node: NodeId): string | null {
    return this.mesh.model.get('assignment', node)?.body.relay ?? null;
  }

  standbyOf(node: NodeId): string | null {
    return this.mesh.model.get('assignment', node)?.body.standby ?? null;
  }

  providerOf(cidr: string): NodeId | null {
    return [...this.mesh.model.all('route')].find(({ body }) => body.cidr === cidr)?.body.provider ?? null;
  }

  /** Names of its gateways, with `-` behind those that drain. */
  gatewaysOf(ingress: IngressId): readonly string[] {
    const gateways = this.mesh.model.get('placement', ingress)?.body.gateways ?? [];
    return gateways.map(
      ({ node, draining }) => `${this.mesh.model.get('node', node)?.body.name}${draining ? '-' : ''}`,
    );
  }

  async events(type: string): Promise<readonly EventBody[]> {
    const entries = await this.mesh.journal.range({
      log: EVENTS_LOG,
      order: 'oldest_first',
      limit: 10_000,
      action: type,
    });
    return entries.map(({ body }) => JSON.parse(body) as EventBody);
  }
}

type Write = { readonly [K in Kind]: { readonly kind: K; readonly id: string; readonly body: BodyOf<K> | null } }[Kind];

export function put<K extends Kind>(kind: K, id: string, body: BodyOf<K>): Write {
  return { kind, id, body } as Write;
}
