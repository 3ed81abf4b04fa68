import type { BodyOf, ParamsOf, QueryOf } from '@meshwork/contract';
import { OPERATIONS, type OperationId, type Operations } from '@meshwork/contract';
import type { FastifyRequest } from 'fastify';
import { ensurePermitted, reauthenticate } from '../access/authenticate.ts';
import type { Call, Reply } from '../areas/handler.ts';
import type { TokenActor } from '../mesh/actor.ts';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Repeatable } from '../mesh/idempotency.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { idempotencyKeyOf, ifMatchOf } from './request-headers.ts';

/** A validated request, as the use case of its operation sees it. */
export class RequestCall<I extends OperationId> implements Call<I> {
  readonly #mesh: Mesh;
  readonly #id: I;
  readonly #request: FastifyRequest;
  readonly body: BodyOf<Operations[I]>;
  readonly wants: string | undefined;
  readonly now_ms: number;

  constructor(parts: { mesh: Mesh; id: I; request: FastifyRequest; body: unknown; wants: string | undefined }) {
    this.#mesh = parts.mesh;
    this.#id = parts.id;
    this.#request = parts.request;
    // The validator of the operation's own schema has just said so.
    this.body = parts.body as BodyOf<Operations[I]>;
    this.wants = parts.wants;
    this.now_ms = parts.mesh.clock.now();
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

  transact<T extends Reply<I>>(run: (tx: Transaction, actor: TokenActor) => T): Promise<T> {
    const { actor } = this;
    const guarded = (tx: Transaction) => {
      const now = reauthenticate(tx, actor.id, tx.now_ms);
      ensurePermitted(now, OPERATIONS[this.#id]);
      return run(tx, now);
    };
    return this.#mesh.transact(causeOf(this.#request, this.#id, actor), guarded, this.#repeatable(actor));
  }

  #repeatable(actor: TokenActor): Repeatable | undefined {
    if (OPERATIONS[this.#id].method !== 'POST') return undefined;
    const key = idempotencyKeyOf(this.#request.headers['idempotency-key']);
    if (key === undefined) return undefined;
    return { actor_id: actor.id, key, request: JSON.stringify([this.#id, this.params ?? null, this.body]) };
  }
}

export function causeOf(request: FastifyRequest, action: string, actor: Cause['actor']): Cause {
  return { actor, action, request: { id: request.id, address: request.ip } };
}
