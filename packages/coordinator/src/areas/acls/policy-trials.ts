import { Worker } from 'node:worker_threads';
import { MeshError, type NodeId } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import { policyInEffect } from '../../mesh/policy-in-effect.ts';
import { policyNode } from '../../mesh/policy-node.ts';
import type { RoutesOf } from '../../views/routes-of.ts';
import type { Trial, TrialAnswer, TrialNode, TrialRequest } from './trial.ts';

/** Ours: no policy that people write takes a tenth of this, in a mesh of ten thousand nodes. */
const LIMIT_MS = 10_000;
/** Policies that wait for their turn; more are refused. */
const QUEUE_LIMIT = 16;

interface Waiting {
  readonly request: Omit<TrialRequest, 'id' | 'nodes'>;
  readonly resolve: (trial: Trial) => void;
  readonly reject: (error: unknown) => void;
}

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
  readonly #limitMs: number;
  readonly #script: URL;
  readonly #queue: Waiting[] = [];
  #thread: Worker | undefined;
  /** The revision whose nodes the thread has. */
  #sentRevision = -1;
  #count = 0;
  #working: Promise<void> | undefined;
  #closed = false;

  constructor(mesh: Pick<Mesh, 'model'>, routes: RoutesOf, options: TrialOptions = {}) {
    this.#mesh = mesh;
    this.#routes = routes;
    this.#limitMs = options.limit_ms ?? LIMIT_MS;
    this.#script = options.thread ?? new URL('./trial-thread.ts', import.meta.url);
  }

  /** `compared`: says also what would open and close, compared with the policy in effect. */
  run(text: string, now_ms: number, compared?: 'compared'): Promise<Trial> {
    if (this.#closed) return Promise.reject(new MeshError('shutting_down', 'The coordinator is shutting down.'));
    if (this.#queue.length >= QUEUE_LIMIT) {
      const detail = `${QUEUE_LIMIT} policies are waiting to be looked at. Try again in a moment.`;
      return Promise.reject(new MeshError('busy', detail, { retry_after_s: 2 }));
    }
    const request = { text, now_ms, before: this.#inEffect(), compared: compared !== undefined };
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#end();
    await this.#working;
  }

  async #work(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      try {
        next.resolve(await this.#ask(next.request));
      } catch (error) {
        next.reject(error);
        await this.#end(); // whatever state it is in
      }
    }
    this.#working = undefined; // in the same breath as the last look at the queue
  }

  async #ask(request: Waiting['request']): Promise<Trial> {
    if (this.#closed) throw new MeshError('shutting_down', 'The coordinator is shutting down.');
    const thread = this.#started();
    const { revision } = this.#mesh.model;
    const nodes = this.#sentRevision === revision ? undefined : this.#nodes();
    this.#sentRevision = revision;
    const id = ++this.#count;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Trial>((resolve, reject) => {
        thread.on('message', (answer: TrialAnswer) => answer.id === id && resolve(answer.trial));
        thread.once('error', reject);
        thread.once('exit', () => reject(new MeshError('shutting_down', 'The coordinator is shutting down.')));
        timer = setTimeout(() => reject(tooLong(this.#limitMs)), this.#limitMs);
        thread.postMessage({ id, nodes, ...request } satisfies TrialRequest);
      });
    } finally {
      clearTimeout(timer);
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event);
    }
  }

  #started(): Worker {
    if (this.#thread === undefined) {
      this.#thread = new Worker(this.#script);
      this.#thread.unref();
      this.#sentRevision = -1;
    }
    return this.#thread;
  }

  async #end(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
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
