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
  /** Whether a node reported what is in effect on it, which may be the last proof that was missing. */
  #hasReport = false;
  #ask: () => void = () => undefined;

  constructor(mesh: Mesh, sources: Sources) {
    this.#mesh = mesh;
    this.#sources = sources;
  }

  get pending(): boolean {
    return this.#hasReport;
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  /** Also where another coordinator leads: what a node reports is known only to the one that received it. */
  onHeartbeat(): void {
    if (this.#sources.open.provenByPeers.size === 0) return;
    this.#hasReport = true;
    this.#ask();
  }

  async run(): Promise<void> {
    const { open } = this.#sources;
    const hasReport = this.#hasReport;
    this.#hasReport = false;
    await endOperations(this.#mesh, this.#sources, [...(hasReport ? open.provenByPeers : open.all)]);
  }
}
