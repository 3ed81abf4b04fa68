import { isOpen } from '@meshwork/contract';
import type { Duty } from '../../duties/duty.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Sightings } from '../../node-status/sightings.ts';
import { OPERATION_KINDS } from '../../operations/operation-kinds.ts';
import type { NodeViews } from '../../views/node-views.ts';
import { endOperations } from './end-operations.ts';

/** Ends operations that no heartbeat of their own node can end. */
export class EndOperations implements Duty {
  readonly name = 'operations.end';
  readonly every_s = 1;
  readonly #mesh: Mesh;
  readonly #sources: { readonly views: NodeViews; readonly sightings: Sightings };
  readonly #open = new Set<string>();
  /** Those of the open ones that others have to prove. */
  readonly #witnessed = new Set<string>();
  /** Whether a node said what is in effect on it, which may be the last proof that was missing. */
  #heard = false;
  #ask: () => void = () => undefined;

  constructor(mesh: Mesh, sources: { readonly views: NodeViews; readonly sightings: Sightings }) {
    this.#mesh = mesh;
    this.#sources = sources;
    this.#readAll();
    // Also where another coordinator leads: what a node said is known only to the one that heard it.
    mesh.model.watch({
      changed: ({ kind, id, after }) => {
        if (kind !== 'operation') return;
        this.#open.delete(id);
        this.#witnessed.delete(id);
        if (after !== undefined) this.#keep(after as Stored<'operation'>);
      },
      reset: () => this.#readAll(),
    });
  }

  get pending(): boolean {
    return this.#heard;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  heard(): void {
    if (this.#witnessed.size === 0) return;
    this.#heard = true;
    this.#ask();
  }

  async run(): Promise<void> {
    const isHeard = this.#heard;
    this.#heard = false;
    await endOperations(this.#mesh, this.#sources, [...(isHeard ? this.#witnessed : this.#open)]);
  }

  #readAll(): void {
    this.#open.clear();
    this.#witnessed.clear();
    for (const operation of this.#mesh.model.all('operation')) this.#keep(operation);
  }

  #keep({ id, body }: Stored<'operation'>): void {
    if (!isOpen(body.state)) return;
    this.#open.add(id);
    if (OPERATION_KINDS[body.kind].witness === 'peers') this.#witnessed.add(id);
  }
}
