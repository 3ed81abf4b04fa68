import { isOpen } from '@meshwork/contract';
import type { Leadership } from '@meshwork/store';
import type { Kind } from '../mesh/kinds.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Changed, ModelWatch, Stored } from '../mesh/model.ts';
import type { NodeViews } from '../views/node-views.ts';
import { endOperations } from './end-operations.ts';
import { lapseGrants } from './lapse-grants.ts';
import { OPERATION_KINDS } from './operation-kinds.ts';
import { markOverdue } from './overdue.ts';
import type { Sightings } from './sightings.ts';

const ROUND_MS = 1000;
/** After the heartbeat of a possible witness: others of the same moment are looked at together. */
const SOON_MS = 20;

/** Looks after what no single heartbeat brings about. Of several coordinators, the one that leads does it. */
export class Watchman implements ModelWatch {
  readonly #mesh: Mesh;
  readonly #sources: { readonly views: NodeViews; readonly sightings: Sightings };
  readonly #failed: (error: unknown) => void;
  readonly #leadership: Leadership;
  readonly #timer: NodeJS.Timeout;
  readonly #open = new Set<string>();
  /** Those of the open ones that others have to prove. */
  readonly #witnessed = new Set<string>();
  #soon: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: {
    readonly mesh: Mesh;
    readonly views: NodeViews;
    readonly sightings: Sightings;
    readonly failed: (error: unknown) => void;
  }) {
    this.#mesh = parts.mesh;
    this.#sources = { views: parts.views, sightings: parts.sightings };
    this.#failed = parts.failed;
    this.reset();
    parts.mesh.model.watch(this);
    this.#leadership = parts.mesh.journal.lead('watchman', { gained: () => undefined, lost: () => undefined });
    this.#timer = setInterval(() => this.#goRound(), ROUND_MS).unref();
  }

  /** A node said what is in effect on it: it may be the last witness of something. */
  heard(): void {
    if (this.#witnessed.size === 0 || this.#soon !== undefined) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      this.#enqueue(() => endOperations(this.#mesh, this.#sources, [...this.#witnessed]));
    }, SOON_MS).unref();
  }

  changed<K extends Kind>(change: Changed<K>): void {
    if (change.kind !== 'operation') return;
    this.#open.delete(change.id);
    this.#witnessed.delete(change.id);
    if (change.after !== undefined) this.#keep(change.after as Stored<Kind> as Stored<'operation'>);
  }

  reset(): void {
    this.#open.clear();
    this.#witnessed.clear();
    for (const operation of this.#mesh.model.all('operation')) this.#keep(operation);
  }

  /** One round, now. */
  async look(): Promise<void> {
    if (!this.#leadership.leading) return;
    await markOverdue(this.#mesh, this.#sources.sightings);
    await lapseGrants(this.#mesh);
    await endOperations(this.#mesh, this.#sources, [...this.#open]);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#round;
    await this.#leadership.release();
  }

  #keep({ id, body }: Stored<'operation'>): void {
    if (!isOpen(body.state)) return;
    this.#open.add(id);
    if (OPERATION_KINDS[body.kind].witness === 'peers') this.#witnessed.add(id);
  }

  #goRound(): void {
    this.#enqueue(() => this.look());
  }

  #enqueue(work: () => Promise<void>): void {
    this.#round = this.#round.then(work).catch(this.#failed);
  }
}
