import type { BodyOf, ParamsOf, QueryOf, TokenId } from '@meshwork/contract';
import { isRepeatable, OPERATIONS, type OperationId, type Operations } from '@meshwork/contract';
import { idempotencyKeyOf, ifMatchOf } from '@meshwork/service';
import { ensurePermitted, reauthenticate } from '../access/authenticate.ts';
import { currentActor } from '../access/node-session.ts';
import type { Again, Call, CallerOf, Run } from '../areas/handler.ts';
import type { NodeActor, TokenActor } from '../mesh/actor.ts';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Repeatable } from '../mesh/idempotency.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { View } from '../mesh/model.ts';
import type { Incoming, Outgoing } from './exchange.ts';

interface RequestParts<I extends OperationId> {
  readonly mesh: Mesh;
  readonly id: I;
  readonly request: Incoming;
  readonly reply: Outgoing;
  readonly body: unknown;
  readonly wants: string | undefined;
}

/** A validated request, as the use case of its operation sees it. */
export class RequestCall<I extends OperationId> implements Call<I> {
  readonly #mesh: Mesh;
  readonly #id: I;
  readonly #request: Incoming;
  readonly #reply: Outgoing;
  #now: number | undefined;
  readonly body: BodyOf<Operations[I]>;
  readonly wants: string | undefined;

  constructor(parts: RequestParts<I>) {
    this.#mesh = parts.mesh;
    this.#id = parts.id;
    this.#request = parts.request;
    this.#reply = parts.reply;
    // The validator of the operation's own schema has just said so.
    this.body = parts.body as BodyOf<Operations[I]>;
    this.wants = parts.wants;
  }

  /** When it is first asked for, and the same from then on. */
  get now_ms(): number {
    this.#now ??= this.#mesh.clock.now();
    return this.#now;
  }

  get actor(): CallerOf<I> {
    const { actor } = this.#request;
    if (actor === undefined) throw new Error(`${this.#id} needs no permission and so knows no caller.`);
    return actor as CallerOf<I>; // the gate admits only the kind of caller that the table names
  }

  get address(): string {
    return this.#request.ip;
  }

  get host(): string {
    return this.#request.headers.host ?? '';
  }

  get last_event_id(): string | undefined {
    const { 'last-event-id': header } = this.#request.headers;
    return typeof header === 'string' ? header : undefined;
  }

  whenGone(gone: () => void): void {
    const { raw } = this.#reply;
    raw.once('close', () => {
      if (!raw.writableEnded) gone();
    });
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

  transact<T>(run: Run<T, CallerOf<I>>, again: Again<T, CallerOf<I>> = () => undefined): Promise<T> {
    const cause = causeOf(this.#request, this.#id, this.actor);
    return this.#mesh.transact(cause, (tx) => run(tx, this.#allowedIn(tx, tx.now_ms)), this.#repeatable(again));
  }

  #allowedIn(view: View, now_ms: number): CallerOf<I> {
    const { actor } = this.#request;
    if (actor?.kind === 'node') return currentActor(view, actor.id, actor.epoch, actor) as CallerOf<I>;
    const token = reauthenticate(view, this.actor.id as TokenId, now_ms);
    ensurePermitted(token, OPERATIONS[this.#id]);
    return token as CallerOf<I>;
  }

  #repeatable<T>(again: Again<T, CallerOf<I>>): Repeatable | undefined {
    if (!isRepeatable(OPERATIONS[this.#id])) return undefined;
    const key = idempotencyKeyOf(this.#request.headers['idempotency-key']);
    if (key === undefined) return undefined;
    return {
      actor_id: ownerOf(this.actor),
      key,
      request: JSON.stringify([this.#id, this.params ?? null, this.body]),
      ensureMayHear: (tx, answer) => again(answer as T, tx, this.#allowedIn(tx, tx.now_ms)),
    };
  }
}

/** Whose a repeated request is. A person's token is replaced every few minutes; what they requested stays theirs. */
function ownerOf(actor: TokenActor | NodeActor): string {
  return actor.kind === 'token' ? (actor.on_behalf_of?.id ?? actor.id) : actor.id;
}

export function causeOf(request: Incoming, action: string, actor: Cause['actor']): Cause {
  return { actor, action, request: { id: request.id, address: request.ip } };
}
