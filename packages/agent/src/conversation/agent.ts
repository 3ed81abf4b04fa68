import { setImmediate as turn } from 'node:timers/promises';
import type { Client } from '@meshwork/client';
import type { Applied, AppliedSection, HeartbeatReply, Probe, Report } from '@meshwork/contract';
import { MAX_WAIT_S } from '@meshwork/contract/vocabulary';
import type { SleepingClock } from '@meshwork/time';
import type { DataPlane } from '../data-plane/data-plane.ts';
import { pause } from '../host/pause.ts';
import { Wake } from '../host/wake.ts';
import type { HeldView } from '../view/held-view.ts';
import type { ReceivedView } from '../view/received-view.ts';
import type { AgentObserver } from './agent-observer.ts';
import { HeartbeatSender } from './heartbeat-sender.ts';
import { Pace } from './pace.ts';
import { NO_PROBATION, type Probation } from './probation.ts';
import { ProbeResults, type ProbeRunner } from './probe-results.ts';
import { Recovery } from './recovery.ts';
import { Reporter, type Shipment } from './reporter.ts';
import { type Identity, Session } from './session.ts';
import type { AgentStatus, Ending } from './status.ts';
import { Work } from './work.ts';

/** Ours: how long the next heartbeat waits for what the last answer asked to be applied, in order to report it. */
const APPLY_GRACE_MS = 1000;
/** Ours: the first heartbeat after a start or a failure waits no longer, so that an agent soon knows whether it is back. */
const RETURN_WAIT_S = 2;
/** Until the coordinator says otherwise; the specification's. */
const DEFAULT_INTERVAL_S = 15;

export interface AgentOptions<V extends ReceivedView = HeldView> {
  readonly identity: Identity;
  /** The coordinators of the mesh, any of which will do. The first is tried first. */
  readonly coordinators: readonly [Client, ...Client[]];
  /** Empty, and filled by the agent. */
  readonly view: V;
  readonly data_plane: DataPlane<V>;
  /** What is true of the node as it starts. */
  readonly report: Report;
  readonly clock: SleepingClock;
  readonly random: () => number;
  readonly observer?: AgentObserver | undefined;
  /** Saves the id of the mesh that a session brought: see `Session`. */
  readonly learned?: ((audience: string) => Promise<void>) | undefined;
  /** What enrolment said. Absent: the usual one until a session says. */
  readonly interval_s?: number | undefined;
  /** What the agent before this one held: put into effect before the first heartbeat. Absent: nothing is known. */
  readonly restored?: HeartbeatReply | undefined;
  /** Learns which heartbeats are answered. Absent: nothing that is applied can cut the node off. */
  readonly probation?: Probation | undefined;
  /** Absent: probes are not answered. */
  readonly prober?: ProbeRunner | undefined;
}

/** One start of an agent: heartbeats until it is stopped or its node is gone. */
export class Agent<V extends ReceivedView = HeldView> {
  readonly view: V;
  readonly #options: AgentOptions<V>;
  readonly #session: Session;
  readonly #reporter = new Reporter();
  readonly #sender: HeartbeatSender;
  readonly #work: Work<V>;
  readonly #recovery: Recovery;
  readonly #pace = new Pace();
  readonly #probation: Probation;
  /** Rung when there is something to report. */
  readonly #news = new Wake();
  readonly #probeResults = new ProbeResults();
  /** Rung when a probe has ended: its result cannot wait. */
  readonly #urgent = new Wake();
  /** Rung when a pause after a failure should end. */
  readonly #hurry = new Wake();
  /** Which of the coordinators is called. */
  #coordinator = 0;
  /** Of the last heartbeat. */
  #bearer = '';
  /** Whether everything that is observed is sent again, and not just what changed. */
  #observeAll = true;
  #status: AgentStatus = { state: 'starting' };

  constructor(options: AgentOptions<V>) {
    const { identity, view, clock, random, data_plane, observer } = options;
    const { node } = identity;
    this.#options = options;
    this.view = view;
    this.#probation = options.probation ?? NO_PROBATION;
    this.#recovery = new Recovery(random);
    const seen = (address: string | null) => observer?.seen?.(node, address);
    this.#session = new Session({ identity, now: () => clock.now(), random, seen, learned: options.learned });
    const superseded = (shipment: Shipment, { probes }: HeartbeatReply) => {
      this.#received(shipment);
      this.#probe(probes);
      observer?.superseded?.(node);
    };
    this.#sender = new HeartbeatSender({ node, clock, news: this.#news, superseded });
    const ended = () => this.#news.ring();
    const applied = (section: AppliedSection, what: Applied) => observer?.applied?.(node, section, what);
    this.#work = new Work({ view, data_plane, reporter: this.#reporter, ended, applied });
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

  /** The node may be somewhere else now: the next heartbeat proves its identity anew, and learns at which address it is seen. */
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

  /** One heartbeat, from the report to what is done about the answer. */
  async #beat(signal: AbortSignal): Promise<void> {
    const { clock, data_plane } = this.#options;
    const client = this.#client();
    const token = await this.#session.bearer(client, signal);
    if (token !== this.#bearer) this.#renewed(token);
    await this.#space(signal);

    this.#news.clear(); // whatever rang it until now goes out with this one
    this.#reporter.observed(data_plane.observe(this.#observeAll ? 'everything' : 'changes'));
    this.#observeAll = false;
    this.#reporter.standing(data_plane.report?.() ?? {});
    const probe_results = this.#probeResults.take(clock.now());
    if (this.#probeResults.pending) this.#news.ring(); // the rest goes out with the next one
    const shipment = this.#reporter.pack(probe_results);
    const isProof = this.#probation.pending;
    const ticket = this.#probation.ticket();
    const sentAt = clock.now();
    this.#pace.sent(sentAt, probe_results.length > 0);
    const heartbeat = { client, token, revision: this.view.revision, shipment, wait_s: this.#waitS(shipment) };
    const call = this.#sender.send(heartbeat, signal).then((reply) => {
      this.#probation.answered(ticket);
      return reply;
    });
    const reply = await this.#sender.answerTo(call, shipment);
    if (reply === undefined) return;

    this.#answered(shipment, reply);
    this.#probe(reply.probes);
    const asks = (await this.#act(reply, signal)) || reply.probes !== undefined;
    if (this.#reporter.pending) return;
    const fruitful = asks || Object.keys(shipment.payload).length > 0;
    // One that proves something did not wait, so the coordinator says when the next one would be due: it goes out now, and waits.
    const exchange = { next_s: isProof ? 0 : reply.next_s, fruitful, took_ms: clock.now() - sentAt };
    await this.#pause(this.#pace.afterAnswer(exchange, this.#intervalS()), signal, this.#news);
  }

  /** What is in effect of the sections that nothing is being changed about at this moment. */
  get settled(): { [S in AppliedSection]?: Applied } {
    return this.#work.settled;
  }

  /** Keeps heartbeats apart. The result of a probe that comes meanwhile ends that, within bounds. */
  async #space(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#urgent.clear();
    if (!this.#probeResults.pending) await this.#pause(this.#pace.spacing(clock.now()), signal, this.#urgent);
    if (this.#probeResults.pending) await this.#pause(this.#pace.urgentSpacing(clock.now()), signal);
  }

  #probe(probes: readonly Probe[] = []): void {
    this.#options.prober?.take(probes, (result) => {
      this.#probeResults.add(result, this.#options.clock.now());
      this.#urgent.ring();
      this.#news.ring();
    });
  }

  /** A coordinator that did not know something may know it by now. */
  #renewed(token: string): void {
    this.#bearer = token;
    if (this.#sender.includeAll()) this.#reportAll();
  }

  #reportAll(): void {
    this.#reporter.forgotten();
    this.#observeAll = true;
  }

  /** A heartbeat that leaves something for the next one does not wait, nor does one that proves a change. */
  #waitS(shipment: Shipment): number {
    if (shipment.more || this.#probation.pending) return 0;
    const isReturning = this.#recovery.failing || (this.#status.state === 'starting' && this.view.revision > 0);
    return Math.min(this.#intervalS(), isReturning ? RETURN_WAIT_S : MAX_WAIT_S);
  }

  #received(shipment: Shipment): void {
    this.#reporter.answered(shipment);
    const { observed } = shipment.payload;
    if (observed !== undefined) this.#options.data_plane.reported?.(observed);
    // A new key ends the session that brought it. To be refused with the old one would look like trouble.
    const { report, results = [] } = shipment.payload;
    if (report?.wireguard_key !== undefined && results.length > 0) this.#session.drop();
  }

  #answered(shipment: Shipment, reply: HeartbeatReply): void {
    this.#received(shipment);
    if (reply.report === 'everything') this.#reportAll();
    this.#recovery.succeeded();
    this.#setStatus({ state: 'connected' });
    this.#options.observer?.answered?.(this.node, reply);
  }

  /** Has what the answer asks for done, and says whether it asks for anything. When it takes long, heartbeats go on. */
  async #act(reply: HeartbeatReply, signal: AbortSignal): Promise<boolean> {
    const begun = this.#work.begin(reply);
    this.#options.observer?.held?.(this.node);
    if (!begun) return false;
    await turn(); // enough for a data plane that need not wait for anything
    if (this.#work.under_way) await this.#pause(APPLY_GRACE_MS, signal, this.#news);
    return true;
  }

  /** Does what a failure calls for. Present: it is the end. */
  async #recover(error: unknown, signal: AbortSignal): Promise<Ending | undefined> {
    const { observer } = this.#options;
    const unknown = this.#sender.leaveOut(error);
    if (unknown.length > 0) {
      observer?.leftOut?.(this.node, unknown);
      return undefined; // tried again at once, without them
    }
    observer?.failed?.(this.node, error);
    const [{ proven }, { urgent }] = [this.#session, this.#probation];
    const recourse = this.#recovery.after(error, { proven, urgent, interval_s: this.#intervalS() });
    if (recourse.next === 'end') return recourse.ending;
    this.#work.mend([]); // what could not be applied is tried again, with a coordinator or without one
    if (recourse.next === 'renew' || recourse.renew) this.#session.drop();
    if (recourse.next === 'renew') return undefined;
    if (recourse.elsewhere) this.#coordinator += 1;
    this.#setStatus(recourse.status);
    this.#hurry.clear();
    await this.#pause(recourse.pause_ms, signal, this.#hurry);
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
