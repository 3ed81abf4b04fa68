import type { Duty } from '../../duties/duty.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { NodeStatuses } from '../../node-status/node-statuses.ts';
import type { OpenOperations } from '../../operations/open-operations.ts';
import type { NodeViews } from '../../views/node-views.ts';
import { endOperations } from './end-operations.ts';

interface Sources {
  readonly open: OpenOperations;
  readonly views: NodeViews;
  readonly statuses: NodeStatuses;
}

/** Ends operations that no heartbeat of their own node can end. */
export class EndOperations implements Duty {
  readonly name = 'operations.end';
  readonly every_s = 1;
  readonly #mesh: Mesh;
  readonly #sources: Sources;
  /** Whether a node said what is in effect on it, which may be the last proof that was missing. */
  #heard = false;
  #ask: () => void = () => undefined;

  constructor(mesh: Mesh, sources: Sources) {
    this.#mesh = mesh;
    this.#sources = sources;
  }

  get pending(): boolean {
    return this.#heard;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  /** Also where another coordinator leads: what a node said is known only to the one that heard it. */
  heard(): void {
    if (this.#sources.open.provenByPeers.size === 0) return;
    this.#heard = true;
    this.#ask();
  }

  async run(): Promise<void> {
    const { open } = this.#sources;
    const isHeard = this.#heard;
    this.#heard = false;
    await endOperations(this.#mesh, this.#sources, [...(isHeard ? open.provenByPeers : open.all)]);
  }
}
