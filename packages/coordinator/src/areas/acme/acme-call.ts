import type { AccountId, TokenId } from '@meshwork/contract';
import type { Actor, TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { ProtocolRequest } from '../protocol.ts';
import { malformed } from './acme-error.ts';
import { actorOfToken } from './bound-token.ts';
import type { Desk } from './desk.ts';
import { objectOf } from './jws.ts';
import { type Urls, urlOf } from './paths.ts';
import { ensureValid, type SignedRequest } from './signed-request.ts';

/** What is answered. */
export interface AcmeAnswer {
  readonly status?: number;
  /** Absent: an answer without a body. Text goes as it is. */
  readonly body?: object | string;
  /** Absent: JSON. */
  readonly type?: string;
  readonly location?: string;
  /** What it belongs to: `rel="up"`. */
  readonly up?: string;
  readonly retry_after_s?: number;
}

/** One signed request as a resource sees it. */
export class AcmeCall implements Urls {
  readonly desk: Desk;
  readonly signed: SignedRequest;
  /** As the audit trail names it. */
  readonly action: string;
  readonly #request: ProtocolRequest;

  constructor(desk: Desk, request: ProtocolRequest, given: { signed: SignedRequest; action: string }) {
    this.desk = desk;
    this.#request = request;
    this.signed = given.signed;
    this.action = given.action;
  }

  get origin(): string {
    return this.#request.origin;
  }

  get now_ms(): number {
    return this.desk.mesh.clock.now();
  }

  /** Whether it only reads (RFC 8555, 6.3). */
  get reads(): boolean {
    return this.signed.payload === '';
  }

  ensureReads(): void {
    if (!this.reads) throw malformed('This is only read: the payload is empty.');
  }

  get fields(): Readonly<Record<string, unknown>> {
    return objectOf(this.signed.payload);
  }

  url(...path: readonly string[]): string {
    return urlOf(this, ...path);
  }

  get account(): Stored<'acme_account'> {
    const { account } = this.signed;
    if (account === undefined) throw new Error(`${this.action} is open to callers without an account.`);
    return account;
  }

  get account_id(): AccountId {
    return this.account.id as AccountId;
  }

  /** Who acts for the account now. Throws when its token does not work any more. */
  get actor(): TokenActor {
    return actorOfToken(this.desk.mesh.model, this.account.body.token, this.now_ms);
  }

  /** Changes the mesh in the name of the account, as it and its token are at that moment. */
  transact<T>(run: (tx: Transaction, actor: TokenActor) => T): Promise<T> {
    const { account } = this;
    return this.transactAs(this.actor, (tx) => {
      const now = tx.get('acme_account', account.id);
      // With another key by now, it is another who asks.
      if (now === undefined || now.body.thumbprint !== account.body.thumbprint)
        throw malformed('The account has changed.');
      ensureValid(now);
      return run(tx, actorOfToken(tx, now.body.token, tx.now_ms));
    });
  }

  /** The same for a token that the account is not bound to yet. */
  transactFor<T>(token: TokenId, run: (tx: Transaction, actor: TokenActor) => T): Promise<T> {
    const actor = actorOfToken(this.desk.mesh.model, token, this.now_ms);
    return this.transactAs(actor, (tx) => run(tx, actorOfToken(tx, token, tx.now_ms)));
  }

  transactAs<T>(actor: Actor, run: (tx: Transaction) => T): Promise<T> {
    const { request } = this.#request;
    return this.desk.mesh.transact({ actor, action: this.action, request }, run);
  }
}
