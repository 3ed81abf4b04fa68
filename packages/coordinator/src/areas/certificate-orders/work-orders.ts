/**
 * The duty of the leader: it makes the orders that ingresses need, and works on those that are due, some at a time. A run only starts
 * work and does not wait for it, because an authority may take minutes.
 */
import { accountId, reasonOf } from '../../acme-client/outside-accounts.ts';
import type { Duty, Notes } from '../../duties/duty.ts';
import { earliest } from '../../duties/earliest.ts';
import type { CertificateOrderDocument, Renewal } from '../../kinds/outside-authorities.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import { keepFailure } from './keep-failure.ts';
import { keepIssued } from './keep-issued.ts';
import { removalOf, settleOrders } from './needed-orders.ts';
import { renewalFrom } from './renewal.ts';
import { OrderWalk, type WalkParts } from './walk-order.ts';

/** Ours. */
const AT_ONCE = 5;
/** Attempts that begin within a minute. */
const A_MINUTE = 20;
const MINUTE_MS = 60_000;
const OUR_FAULT = 'the coordinator failed; its log says why';

interface Parts extends WalkParts {
  readonly failed: (error: unknown) => void;
}

interface Work {
  readonly ended: Promise<void>;
  readonly stop: AbortController;
}

type Due = { readonly at: number; readonly what: 'attempt' | 'ask' | 'remove' };

export class WorkOrders implements Duty {
  readonly name = 'certificate_orders.work';
  readonly on: Notes = {
    ingress: () => this.#note(),
    outside_authority: () => this.#note(),
    outside_account: () => this.#note(),
    certificate_order: () => this.#note(),
    placement: () => this.#note(),
  };
  readonly #parts: Parts;
  readonly #working = new Map<string, Work>();
  #started: number[] = [];
  #noted = false;
  #leads = false;
  #ask = () => {};

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get pending(): boolean {
    return this.#noted;
  }

  get next_at(): number | undefined {
    if (this.#working.size >= AT_ONCE) return undefined; // one that ends asks for a run
    const first = earliest(this.#idle().map(({ due }) => due.at));
    return first === undefined ? undefined : Math.max(first, this.#mayStartAt());
  }

  attach(ask: () => void): void {
    this.#ask = ask;
  }

  begin(): void {
    this.#leads = true;
    this.#noted = true;
  }

  /** Another coordinator leads: it goes on where the documents say. */
  end(): void {
    this.#leads = false;
    this.#noted = false;
    for (const { stop } of this.#working.values()) stop.abort();
  }

  async close(): Promise<void> {
    this.end();
    await Promise.all(this.#working.values().map(({ ended }) => ended));
  }

  async run(): Promise<void> {
    this.#noted = false;
    const { mesh } = this.#parts;
    await settleOrders(mesh);
    for (const [id, { stop }] of this.#working) {
      const order = mesh.model.get('certificate_order', id)?.body;
      if (order === undefined || order.unneeded_since !== null) stop.abort();
    }
    const now_ms = mesh.clock.now();
    for (const { order, due } of this.#idle().filter((one) => one.due.at <= now_ms)) {
      if (!this.#leads || this.#working.size >= AT_ONCE || this.#mayStartAt() > now_ms) break;
      if (due.what !== 'remove') this.#start(order.id, due.what);
    }
  }

  #note(): void {
    this.#noted = true;
  }

  /** Those that nothing is done for now, the first due first. */
  #idle(): { readonly order: Stored<'certificate_order'>; readonly due: Due }[] {
    const all = [...this.#parts.mesh.model.all('certificate_order')].filter(({ id }) => !this.#working.has(id));
    return all
      .flatMap((order) => {
        const due = this.#due(order);
        return due === undefined ? [] : [{ order, due }];
      })
      .sort((one, other) => one.due.at - other.due.at);
  }

  #due({ id, body }: Stored<'certificate_order'>): Due | undefined {
    const { model } = this.#parts.mesh;
    const removal = removalOf(body, model.get('given_certificate', id) !== undefined);
    if (removal !== undefined) return { at: removal, what: 'remove' };
    const paused = this.#pausedUntil(body);
    const at = (text: string | null | undefined) => (text === null || text === undefined ? 0 : Date.parse(text));
    if (body.state !== 'issued') return { at: Math.max(at(body.next_at), paused), what: 'attempt' };
    if (body.renewal === null) return { at: paused, what: 'attempt' };
    const renewed = Math.max(at(body.renewal.at), paused);
    const asked = body.renewal.ask_at === null ? Number.POSITIVE_INFINITY : Math.max(at(body.renewal.ask_at), paused);
    return asked < renewed ? { at: asked, what: 'ask' } : { at: renewed, what: 'attempt' };
  }

  #pausedUntil({ authority, staged }: CertificateOrderDocument): number {
    const { model } = this.#parts.mesh;
    const hasStaging = model.get('outside_authority', authority)?.body.staging_directory !== null;
    const id = accountId(authority, hasStaging && !staged ? 'staging' : 'live');
    const until = model.get('outside_account', id)?.body.paused_until ?? null;
    return until === null ? 0 : Date.parse(until);
  }

  /** When another may begin. */
  #mayStartAt(): number {
    const now_ms = this.#parts.mesh.clock.now();
    this.#started = this.#started.filter((at) => at > now_ms - MINUTE_MS && at <= now_ms);
    const [first] = this.#started;
    return this.#started.length < A_MINUTE || first === undefined ? 0 : first + MINUTE_MS;
  }

  #start(id: string, what: 'attempt' | 'ask'): void {
    const stop = new AbortController();
    this.#started.push(this.#parts.mesh.clock.now());
    const work = what === 'attempt' ? this.#attempt(id, stop.signal) : this.#askRenewal(id, stop.signal);
    const ended = work
      .catch((error: unknown) => {
        if (!stop.signal.aborted) this.#parts.failed(error); // it could not be written down: it is due still
      })
      .finally(() => {
        this.#working.delete(id);
        this.#noted = this.#leads;
        this.#ask();
      });
    this.#working.set(id, { ended, stop });
  }

  async #attempt(id: string, signal: AbortSignal): Promise<void> {
    const { mesh, failed } = this.#parts;
    try {
      const issued = await new OrderWalk(this.#parts, id, signal).run();
      const { not_before_ms, not_after_ms, renewal_id } = issued.read;
      const life = {
        not_before: new Date(not_before_ms).toISOString(),
        not_after: new Date(not_after_ms).toISOString(),
      };
      // What was asked for is there: an authority that does not say when to renew it keeps nothing up.
      const about = { ...life, renewal_id, before: null, now_ms: mesh.clock.now() };
      const renewal = await renewalFrom(issued.session, about);
      signal.throwIfAborted();
      await keepIssued(mesh, id, issued, renewal);
    } catch (error) {
      if (signal.aborted) return;
      await keepFailure(mesh, id, problemOf(error, failed), error);
    }
  }

  async #askRenewal(id: string, signal: AbortSignal): Promise<void> {
    const { mesh, accounts } = this.#parts;
    const { model } = mesh;
    const order = model.get('certificate_order', id)?.body;
    const given = model.get('given_certificate', id)?.body;
    const authority = order && model.get('outside_authority', order.authority);
    if (order === undefined || given === undefined || authority === undefined || order.renewal === null) return;
    const { renewal_id, renewal: before } = order;
    const now_ms = mesh.clock.now();
    let renewal: Renewal = { ...before, ask_at: new Date(now_ms + 3_600_000).toISOString() };
    try {
      const session = await accounts.session(authority, 'live', signal);
      renewal = { ...renewal, ...(await renewalFrom(session, { ...given, renewal_id, before, now_ms })) };
    } catch (error) {
      if (signal.aborted) return;
      problemOf(error, this.#parts.failed); // it is asked again in an hour, and renewed when it was said before
    }
    await mesh.transact({ actor: COORDINATOR, action: 'certificate_orders.ask' }, (tx) => {
      const now = tx.get('certificate_order', id)?.body;
      if (now?.state === 'issued' && now.issued_at === order.issued_at)
        tx.put('certificate_order', id, { ...now, renewal });
    });
  }
}

function problemOf(error: unknown, failed: (error: unknown) => void): string {
  try {
    return reasonOf(error);
  } catch (fault) {
    failed(fault);
    return OUR_FAULT;
  }
}
