import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Client, Clock } from '@meshwork/client';
import type { Applied, AppliedSection, HeartbeatReply, Report } from '@meshwork/contract';
import { heartbeatReplyShape } from '@meshwork/contract/answers';
import { MAX_WAIT_S } from '@meshwork/contract/vocabulary';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { pause } from '../host/pause.ts';
import { Wake, WOKEN } from '../host/wake.ts';
import type { Held } from '../view/held-records.ts';
import { HeldView } from '../view/held-view.ts';
import { checkShape } from '../wire/answer-shape.ts';
import { unknownMembersIn, withoutMembers } from '../wire/unknown-members.ts';
import { BackOff } from './back-off.ts';
import { Pace } from './pace.ts';
import { NO_PROBATION, PROBATION_PAUSE_MS, type Probation } from './probation.ts';
import { Reporter, type Shipment } from './reporter.ts';
import { type Identity, Session } from './session.ts';
import type { AgentStatus, Ending } from './status.ts';
import { judge } from './verdict.ts';
import { Work } from './work.ts';

/** Ours: how much longer than it was asked to wait a coordinator may take before it counts as silent. */
const SILENCE_S = 15;
/** Ours: how long the next heartbeat waits for what the last answer asked to be applied, in order to report it. */
const APPLY_GRACE_MS = 1000;
/** Ours: the first heartbeat after a start or a failure waits no longer, so that an agent soon knows whether it is back. */
const RETURN_WAIT_S = 2;
/** Until the coordinator says otherwise; the specification's. */
const DEFAULT_INTERVAL_S = 15;

export interface AgentOptions<H extends Held = Held> {
  readonly identity: Identity;
  /** The coordinators of the mesh, any of which will do. The first is tried first. */
  readonly coordinators: readonly [Client, ...Client[]];
  /** Empty, and filled by the agent: with as much as its data plane needs. */
  readonly held: H;
  readonly data_plane: DataPlane<H>;
  /** What is true of the node as it starts. */
  readonly report: Report;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer?: AgentObserver | undefined;
  /** Saves the id of the mesh that a session brought: see `Session`. */
  readonly learned?: ((audience: string) => Promise<void>) | undefined;
  /** What enrolment said. Absent: the usual one until a session says. */
  readonly interval_s?: number | undefined;
  /** What the agent before this one held: put into effect before anybody is asked. Absent: nothing is known. */
  readonly restored?: HeartbeatReply | undefined;
  /** Hears which heartbeats are answered. Absent: nothing that is applied can cut the node off. */
  readonly probation?: Probation | undefined;
}

/** Follows what agents do. One observer can serve any number of agents. */
export interface AgentObserver {
  answered?(node: string, reply: HeartbeatReply): void;
  /** A heartbeat was answered after the next one was sent. Its answer is dropped. */
  superseded?(node: string): void;
  failed?(node: string, error: unknown): void;
  status?(node: string, status: AgentStatus): void;
  /** The result of applying a section that the coordinator sent. */
  applied?(node: string, section: AppliedSection, applied: Applied): void;
  /** The coordinator does not know these members of a heartbeat, and they are left out: it is older than this agent. */
  leftOut?(node: string, members: readonly string[]): void;
  /** Where the coordinator saw the node come from when it last proved itself. Null: it does not know. */
  seen?(node: string, address: string | null): void;
}

/**
 * One start of an agent: heartbeats until it is stopped or its node is gone. Each heartbeat waits at the coordinator for
 * news. When there is news on this side, the next one goes out beside it, and the coordinator lets the older one go.
 */
export class Agent<H extends Held = Held> {
  readonly boot_id = randomUUID();
  readonly view: HeldView<H>;
  readonly #options: AgentOptions<H>;
  readonly #session: Session;
  readonly #reporter = new Reporter();
  readonly #work: Work<H>;
  readonly #backOff: BackOff;
  readonly #pace = new Pace();
  readonly #probation: Probation;
  /** Rung when there is something to tell. */
  readonly #news = new Wake();
  /** Rung when a pause after a failure should end. */
  readonly #hurry = new Wake();
  #seq = 0;
  #coordinator = 0;
  /** Of the last heartbeat. */
  #bearer = '';
  /** Whether all that is observed goes out again, and not just what changed. */
  #tellAll = true;
  /** A heartbeat that the next one has overtaken, until it is let go. */
  #overtaken: Promise<void> | undefined;
  #failure = { code: '', times: 0 };
  /** Members of a heartbeat that the coordinator does not know. Tried again with each session: it may have been upgraded. */
  #unknown: readonly string[] = [];
  #status: AgentStatus = { state: 'starting' };

  constructor(options: AgentOptions<H>) {
    const { identity, clock, random, data_plane, observer } = options;
    this.#options = options;
    this.#probation = options.probation ?? NO_PROBATION;
    this.view = new HeldView(options.held);
    const { node } = identity;
    const seen = (address: string | null) => observer?.seen?.(node, address);
    this.#session = new Session({ identity, now: () => clock.now(), random, seen, learned: options.learned });
    const ended = () => this.#news.ring();
    const applied = (section: AppliedSection, what: Applied) => observer?.applied?.(node, section, what);
    this.#work = new Work({ view: this.view, data_plane, reporter: this.#reporter, ended, applied });
    this.#backOff = new BackOff(random);
    this.#reporter.report(options.report);
    data_plane.onChange((drifted) => {
      if (drifted.length > 0) this.#work.mend(drifted);
      else this.#news.ring();
    });
  }

  get node(): string {
    return this.#options.identity.node;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  /** Something about the node has changed. Absent fields are as they were. */
  report(report: Report): void {
    if (this.#reporter.report(report)) this.#news.ring();
  }

  /** The node may be somewhere else now: the next heartbeat proves who it is anew, and hears where it is seen. */
  moved(): void {
    this.#session.drop();
    this.#news.ring();
  }

  /** What was applied needs an answered heartbeat for its proof: the next one goes out now. */
  prove(): void {
    this.#news.ring();
  }

  /** Ends a pause after a failure: whatever was in the way is known to be gone. */
  hurry(): void {
    this.#hurry.ring();
  }

  async run(signal: AbortSignal): Promise<Ending> {
    const { restored } = this.#options;
    if (restored !== undefined) await this.#act(restored, signal);
    while (!signal.aborted) {
      try {
        await this.#beat(signal);
      } catch (error) {
        if (signal.aborted) break;
        const ending = await this.#recover(error, signal);
        if (ending !== undefined) return this.#end(ending);
      }
    }
    return this.#end({ reason: 'stopped', detail: 'stopped on request' });
  }

  /** One heartbeat, from what there is to tell to what is done about the answer. */
  async #beat(signal: AbortSignal): Promise<void> {
    const { clock, data_plane } = this.#options;
    const client = this.#client();
    const token = await this.#session.bearer(client, signal);
    if (token !== this.#bearer) this.#renewed(token);
    await this.#pause(this.#pace.spacing(clock.now()), signal);

    this.#news.clear(); // whatever rang it until now goes out with this one
    this.#reporter.observed(data_plane.observe(this.#tellAll ? 'everything' : 'changes'));
    this.#tellAll = false;
    const shipment = this.#reporter.pack();
    const isProof = this.#probation.pending;
    const ticket = this.#probation.ticket();
    const sentAt = clock.now();
    this.#pace.sent(sentAt);
    const call = this.#send(client, token, shipment, signal).then((reply) => {
      this.#probation.answered(ticket);
      return reply;
    });
    const reply = await this.#answerTo(call, shipment);
    if (reply === undefined) return;

    this.#answered(shipment, reply);
    const asks = await this.#act(reply, signal);
    if (this.#reporter.pending) return;
    const fruitful = asks || Object.keys(shipment.payload).length > 0;
    // One that proves something did not wait, so the coordinator says when the next one would be due: it goes out now, and waits.
    const exchange = { next_s: isProof ? 0 : reply.next_s, fruitful, took_ms: clock.now() - sentAt };
    await this.#pause(this.#pace.afterAnswer(exchange, this.#intervalS()), signal, this.#news);
  }

  /** A coordinator that did not know something may know it by now. */
  #renewed(token: string): void {
    this.#bearer = token;
    if (this.#unknown.length === 0) return;
    this.#unknown = [];
    this.#reporter.forgotten();
    this.#tellAll = true;
  }

  async #send(client: Client, token: string, shipment: Shipment, signal: AbortSignal): Promise<HeartbeatReply> {
    const { clock } = this.#options;
    this.#seq += 1;
    // A heartbeat that leaves something for the next one does not wait, nor does one that proves a change.
    const returning = this.#failure.times > 0 || (this.#status.state === 'starting' && this.view.revision > 0);
    const wait =
      shipment.more || this.#probation.pending
        ? 0
        : Math.min(this.#intervalS(), returning ? RETURN_WAIT_S : MAX_WAIT_S);
    const { body } = await client.call('agents.heartbeat', {
      params: { id: this.node },
      query: { wait },
      body: {
        node: this.node,
        boot_id: this.boot_id,
        seq: this.#seq,
        revision: this.view.revision,
        sent_at: new Date(clock.now()).toISOString(),
        ...withoutMembers(shipment.payload, this.#unknown),
      },
      token,
      signal,
      timeout_ms: (wait + SILENCE_S) * 1000,
      retry: false, // a heartbeat is never sent twice: the next one says it again, with a higher `seq`
    });
    checkShape(heartbeatReplyShape, body, 'a heartbeat'); // before any of it is taken in: what is held is whole at all times
    return body;
  }

  /**
   * Absent: there is news, and the next heartbeat should go out. The answer to this one does not matter then: the next one
   * names the same revision, so its answer contains everything that this one would have.
   */
  async #answerTo(call: Promise<HeartbeatReply>, shipment: Shipment): Promise<HeartbeatReply | undefined> {
    // Two at a time are enough: when the coordinator does not let go of the older one, news has to wait.
    const overtaken = this.#overtaken;
    if (overtaken !== undefined) {
      const first = await Promise.race([call, overtaken]);
      if (first !== undefined) return first;
    }
    const outcome = await this.#news.race(call);
    if (outcome !== WOKEN) return outcome;
    this.#overtaken = this.#release(call, shipment);
    return undefined;
  }

  /** Lets an overtaken heartbeat end in its own time. What it said was heard if it is answered, whatever the answer says. */
  async #release(call: Promise<HeartbeatReply>, shipment: Shipment): Promise<void> {
    try {
      await call;
      this.#heard(shipment);
      this.#options.observer?.superseded?.(this.node);
    } catch {
      // The next one meets the same trouble, if it lasts, and that one is looked at.
    } finally {
      this.#overtaken = undefined;
    }
  }

  #heard(shipment: Shipment): void {
    this.#reporter.answered(shipment);
    // A new key ends the session that brought it. To be refused with the old one would look like trouble.
    const { report, results = [] } = shipment.payload;
    if (report?.wireguard_key !== undefined && results.length > 0) this.#session.drop();
  }

  #answered(shipment: Shipment, reply: HeartbeatReply): void {
    this.#heard(shipment);
    if (reply.report === 'everything') {
      this.#reporter.forgotten();
      this.#tellAll = true;
    }
    this.#backOff.reset();
    this.#failure = { code: '', times: 0 };
    this.#setStatus({ state: 'connected' });
    this.#options.observer?.answered?.(this.node, reply);
  }

  /** Has what the answer asks for done, and says whether it asks for anything. When it takes long, heartbeats go on. */
  async #act(reply: HeartbeatReply, signal: AbortSignal): Promise<boolean> {
    if (!this.#work.begin(reply)) return false;
    await turn(); // enough for a data plane that need not wait for anything
    if (this.#work.under_way) await this.#pause(APPLY_GRACE_MS, signal, this.#news);
    return true;
  }

  /** Does what a failure calls for. Present: it is the end. */
  async #recover(error: unknown, signal: AbortSignal): Promise<Ending | undefined> {
    const unknown = unknownMembersIn(error).filter((member) => !this.#unknown.includes(member));
    if (unknown.length > 0) {
      this.#unknown = [...this.#unknown, ...unknown];
      this.#options.observer?.leftOut?.(this.node, unknown);
      return undefined; // and at once once more, without them
    }
    this.#options.observer?.failed?.(this.node, error);
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreachable';
    this.#failure = { code, times: code === this.#failure.code ? this.#failure.times + 1 : 1 };
    const { times } = this.#failure;
    const verdict = judge(error, { proven: this.#session.proven, times });
    if (verdict.next === 'end') return verdict.ending;
    this.#work.mend([]); // what could not be applied is tried again, with a coordinator or without one
    if (verdict.next === 'renew') {
      this.#session.drop();
      if (times === 1) return undefined;
    }
    if (verdict.next === 'retry' && verdict.elsewhere) this.#coordinator += 1;
    this.#setStatus(verdict.status);
    this.#hurry.clear();
    const asked_s = verdict.next === 'retry' ? verdict.asked_s : null;
    const pause_ms = this.#backOff.next(this.#intervalS(), asked_s);
    const longest_ms = this.#probation.urgent && asked_s === null ? PROBATION_PAUSE_MS : pause_ms;
    await this.#pause(Math.min(pause_ms, longest_ms), signal, this.#hurry);
    return undefined;
  }

  #pause(ms: number, signal: AbortSignal, bell?: Wake): Promise<void> {
    return pause(this.#options.clock, ms, signal, bell);
  }

  #client(): Client {
    const { coordinators } = this.#options;
    return coordinators[this.#coordinator % coordinators.length] ?? coordinators[0];
  }

  #intervalS(): number {
    return this.#session.interval_s ?? this.#options.interval_s ?? DEFAULT_INTERVAL_S;
  }

  #end(ending: Ending): Ending {
    this.#setStatus({ state: 'ended', ...ending });
    return ending;
  }

  #setStatus(status: AgentStatus): void {
    if (status.state === this.#status.state && status.state === 'connected') return;
    this.#status = status;
    this.#options.observer?.status?.(this.node, status);
  }
}
