import { MeshError, type NodeId } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import { policyInEffect } from '../../mesh/policy-in-effect.ts';
import { policyNode } from '../../mesh/policy-node.ts';
import { ThreadQueue } from '../../threads/thread-queue.ts';
import type { RoutesOf } from '../../views/routes-of.ts';
import type { Trial, TrialNode, TrialRequest } from './trial.ts';

/** Ours: no policy that people write takes a tenth of this, in a mesh of ten thousand nodes. */
const LIMIT_MS = 10_000;
/** Policies that wait for their turn; more are refused. */
const QUEUE_LIMIT = 16;

interface TrialOptions {
  readonly limit_ms?: number;
  /** What the thread runs. */
  readonly thread?: URL;
}

/**
 * Tries policies out in a thread of its own, one after another: a caller that may only read the policy may send one
 * that takes long to work out, which must not delay other requests. One that takes too long is given up, and its thread
 * with it.
 */
export class PolicyTrials {
  readonly #mesh: Pick<Mesh, 'model'>;
  readonly #routes: RoutesOf;
  readonly #thread: ThreadQueue<TrialRequest, Trial>;
  /** The revision whose nodes the thread has. */
  #sentRevision = -1;

  constructor(mesh: Pick<Mesh, 'model'>, routes: RoutesOf, options: TrialOptions = {}) {
    this.#mesh = mesh;
    this.#routes = routes;
    this.#thread = new ThreadQueue({
      script: options.thread ?? new URL('./trial-thread.ts', import.meta.url),
      name: 'policy',
      queue_limit: QUEUE_LIMIT,
      waiting: 'policies are waiting to be looked at',
      limit_ms: options.limit_ms ?? LIMIT_MS,
      tooLong,
    });
  }

  /** `compared`: says also what would open and close, compared with the policy in effect. */
  run(text: string, now_ms: number, compared?: 'compared'): Promise<Trial> {
    const request = { text, now_ms, before: this.#inEffect(), compared: compared !== undefined };
    return this.#thread.run((isNewThread) => {
      const { revision } = this.#mesh.model;
      const nodes = !isNewThread && this.#sentRevision === revision ? undefined : this.#nodes();
      this.#sentRevision = revision;
      return { ...request, nodes };
    });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #inEffect(): TrialRequest['before'] {
    const { text, lapsed } = policyInEffect(this.#mesh.model);
    return { text, lapsed: [...lapsed] };
  }

  #nodes(): TrialNode[] {
    const { model } = this.#mesh;
    const nodes: TrialNode[] = [];
    for (const { id, body } of model.all('node')) {
      const node = policyNode(model, this.#routes, id as NodeId);
      if (node !== undefined) nodes.push({ ...node, address: body.address, address6: body.address6 });
    }
    return nodes;
  }
}

function tooLong(limit_ms: number): MeshError {
  const detail = `It takes longer than ${limit_ms / 1000} s to work out what it means. Use fewer groups, grants or tests.`;
  return new MeshError('policy_invalid', detail, { errors: [{ pointer: '', detail, line: 1, column: 1 }] });
}
