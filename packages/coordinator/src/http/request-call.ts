import type { BodyOf, ParamsOf, QueryOf } from '@meshwork/contract';
import { isRepeatable, OPERATIONS, type OperationId, type Operations } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import { ensurePermitted, reauthenticate } from '../access/authenticate.ts';
import type { Again, Call, Reply, Run } from '../areas/handler.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Repeatable } from '../mesh/idempotency.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { View } from '../mesh/model.ts';
import { idempotencyKeyOf, ifMatchOf } from './request-headers.ts';

/** A validated request, as the use case of its operation sees it. */
export class RequestCall<I extends OperationId> implements Call<I> {
  readonly #mesh: Mesh;
  readonly #id: I;
  readonly #request: FastifyRequest;
  #now: number | undefined;
  readonly body: BodyOf<Operations[I]>;
  readonly wants: string | undefined;

  constructor(parts: { mesh: Mesh; id: I; request: FastifyRequest; body: unknown; wants: string | undefined }) {
    this.#mesh = parts.mesh;
    this.#id = parts.id;
    this.#request = parts.request;
    // The validator of the operation's own schema has just said so.
    this.body = parts.body as BodyOf<Operations[I]>;
    this.wants = parts.wants;
  }

  /** When it is first asked for, and the same from then on. */
  get now_ms(): number {
    this.#now ??= this.#mesh.clock.now();
    return this.#now;
  }

  get actor(): TokenActor {
    const { actor } = this.#request;
    if (actor === undefined) throw new Error(`${this.#id} needs no permission and so knows no caller.`);
    return actor;
  }

  get params(): ParamsOf<Operations[I]> {
    return this.#request.params as ParamsOf<Operations[I]>;
  }

  get query(): QueryOf<Operations[I]> {
    return this.#request.query as QueryOf<Operations[I]>;
  }

  get if_match(): number | undefined {
    return ifMatchOf(this.#request.headers['if-match']);
  }

  ensureStillAllowed(): void {
    this.#allowedIn(this.#mesh.model, this.#mesh.clock.now());
  }

  transact<T extends Reply<I>>(run: Run<T>, again: Again<T> = () => undefined): Promise<T> {
    const cause = causeOf(this.#request, this.#id, this.actor);
    return this.#mesh.transact(cause, (tx) => run(tx, this.#allowedIn(tx, tx.now_ms)), this.#repeatable(again));
  }

  #allowedIn(view: View, now_ms: number): TokenActor {
    const actor = reauthenticate(view, this.actor.id, now_ms);
    ensurePermitted(actor, OPERATIONS[this.#id]);
    return actor;
  }

  #repeatable<T>(again: Again<T>): Repeatable | undefined {
    if (!isRepeatable(OPERATIONS[this.#id])) return undefined;
    const key = idempotencyKeyOf(this.#request.headers['idempotency-key']);
    if (key === undefined) return undefined;
    return {
      actor_id: this.actor.id,
      key,
      request: JSON.stringify([this.#id, this.params ?? null, this.body]),
      ensureMayHear: (tx, answer) => again(answer as T, tx, this.#allowedIn(tx, tx.now_ms)),
    };
  }
}

export function causeOf(request: FastifyRequest, action: string, actor: Cause['actor']): Cause {
  return { actor, action, request: { id: request.id, address: request.ip } };
}
