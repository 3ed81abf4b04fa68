/**
 * Probes: what the coordinator asks the node to try or to look at right now. `look.ts` says how links and the packet filter are,
 * `watch.ts` what arrives of a flow and which rule decides about it, `attempt.ts` sends the first packet of one, `challenge/`
 * fetches what a program on this node shows for a certificate, and `outside/` tries an ingress as people outside do.
 */
import type { Applied, AppliedSection, Probe, ProbeResult } from '@meshwork/contract';
import { PROBE_KINDS, type ProbeKind } from '@meshwork/contract/vocabulary';
import type { EngineProber } from '../engines/engine.ts';
import type { AgentLog } from '../host/log.ts';
import { type RunCommand, runCommand } from '../host/run-command.ts';
import { messageOf } from '../message-of.ts';
import { attempt } from './attempt.ts';
import { answerOf } from './challenge/challenge.ts';
import { flowText } from './flow.ts';
import { type LookedAt, look } from './look.ts';
import { checkIngress } from './outside/check.ts';
import { publicResolvers } from './outside/public-resolvers.ts';
import { watch } from './watch.ts';
import { sweepWatchTables } from './watch-table.ts';

/** Those of engines are none of them. */
const OWN_KINDS: readonly ProbeKind[] = ['look', 'watch', 'attempt', 'challenge', 'ingress_check'];
/** What the node itself is like is looked at in any case. */
const KINDS_WITHOUT_FLOWS: readonly ProbeKind[] = ['look', 'challenge'];
/** Ours: at most so many run at the same time. */
const MOST_AT_ONCE = 8;
/** Ours: a probe that takes so much longer than it was given has failed, on a busy machine too. */
const GRACE_MS = 5_000;
/** The contract's limit on the time of a probe. */
const LONGEST_MS = 10_000;
/** The contract's limit on the words of an error. */
const MAX_ERROR_LENGTH = 500;

interface ProberOptions {
  readonly plane: LookedAt;
  /** What is in effect of the sections that nothing is being changed about. */
  readonly settled: () => { [S in AppliedSection]?: Applied };
  /** Of this node in the mesh, without prefixes. Empty: not known yet. */
  readonly addresses: () => readonly string[];
  /** Whether flows are tried and watched, and ingresses from outside. */
  readonly flows: boolean;
  /** Of engines, for kinds that are their own. Absent: there are none. */
  readonly engines?: readonly EngineProber[];
  readonly log: AgentLog;
  readonly run?: RunCommand | undefined;
}

type Answer = (result: ProbeResult) => void;

export class Prober {
  readonly #options: ProberOptions;
  readonly #run: RunCommand;
  readonly #stopping = new AbortController();
  readonly #underWay = new Set<Promise<void>>();

  constructor(options: ProberOptions) {
    this.#options = options;
    this.#run = options.run ?? runCommand;
  }

  /** Those that it answers, as the agent reports them. */
  get kinds(): ProbeKind[] {
    const own = this.#options.flows ? OWN_KINDS : KINDS_WITHOUT_FLOWS;
    return [...own, ...(this.#options.engines ?? []).flatMap(({ kinds }) => kinds)];
  }

  /** Takes away what an agent before this one left when it was killed. */
  async start(): Promise<void> {
    await sweepWatchTables(this.#run);
  }

  /** Begins with them, beside everything else. Each is answered in its own time, a watch twice. */
  take(probes: readonly Probe[], answer: Answer): void {
    for (const probe of probes) {
      if (this.#stopping.signal.aborted) return;
      if (this.#underWay.size >= MOST_AT_ONCE) {
        answer({ id: probe.id, error: `this node runs ${MOST_AT_ONCE} probes already` });
        continue;
      }
      const work = this.#answerTo(probe, answer).finally(() => this.#underWay.delete(work));
      this.#underWay.add(work);
    }
  }

  /** Ends those under way, without an answer. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#underWay);
  }

  async #answerTo(probe: Probe, answer: Answer): Promise<void> {
    const { id } = probe;
    const over = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, over.signal]);
    let isOver = false;
    const say = (result: Omit<ProbeResult, 'id'>) => {
      if (!isOver && !this.#stopping.signal.aborted) answer({ id, ...result });
    };
    const late = setTimeout(() => {
      say({ error: 'it was not done in time' });
      isOver = true;
      over.abort();
    }, timeOf(probe) + GRACE_MS);
    try {
      await this.#do(probe, { say, signal });
    } catch (error) {
      const words = messageOf(error).slice(0, MAX_ERROR_LENGTH);
      if (!signal.aborted) this.#options.log.warn('a probe could not be done', { probe: id, error: words });
      say({ error: words });
    } finally {
      clearTimeout(late);
    }
  }

  async #do(
    { id, ...probe }: Probe,
    { say, signal }: { say: (result: Omit<ProbeResult, 'id'>) => void; signal: AbortSignal },
  ): Promise<void> {
    const { plane, addresses, log, settled } = this.#options;
    const run = this.#run;
    if (probe.look !== undefined) {
      say({ look: await look(bounded(probe.look), { plane, run, settled }) });
    } else if (probe.watch !== undefined) {
      this.#refuseFlows();
      const { flow } = probe.watch;
      const for_ms = Math.min(probe.watch.for_ms, LONGEST_MS);
      log.info('watching a flow for the coordinator', { probe: id, flow: flowText(flow), for_ms });
      await watch({ flow, for_ms }, { run, signal, seen: (seen) => say({ watch: seen }) });
    } else if (probe.attempt !== undefined) {
      this.#refuseFlows();
      const { flow } = probe.attempt;
      const within_ms = Math.min(probe.attempt.within_ms, LONGEST_MS);
      const outcome = await attempt({ id, flow, within_ms }, { addresses: addresses(), run, signal });
      log.info('tried a flow for the coordinator', { probe: id, flow: flowText(flow), outcome: outcome.outcome });
      say({ attempt: outcome });
    } else if (probe.challenge !== undefined) {
      const { type, name } = probe.challenge;
      const found = await answerOf(bounded(probe.challenge), { addresses: addresses(), signal });
      log.info('fetched the answer to a challenge', { probe: id, type, name, detail: found.detail ?? 'it was shown' });
      say({ challenge: found });
    } else if (probe.ingress_check !== undefined) {
      this.#refuseFlows();
      const own = addresses();
      const resolvers = await publicResolvers(own);
      const { hostname } = probe.ingress_check;
      const seen = await checkIngress(bounded(probe.ingress_check), { resolvers, addresses: own, signal });
      log.info('tried an ingress from outside', { probe: id, hostname, addresses: seen.addresses.join(' ') });
      say({ ingress_check: seen });
    } else {
      const engine = this.#options.engines?.find(({ kinds }) => kinds.some((kind) => probe[kind] !== undefined));
      if (engine === undefined) {
        const isKnown = PROBE_KINDS.some((kind) => probe[kind] !== undefined);
        throw new Error(`this ${isKnown ? 'node does not answer' : 'agent does not know'} this kind of probe`);
      }
      say(await engine.answer({ id, ...probe }, signal));
    }
  }

  #refuseFlows(): void {
    if (!this.#options.flows) throw new Error('this node does not try or watch flows (MESH_PROBES=off)');
  }
}

function timeOf({ look, watch, attempt, challenge, waf, ingress_check, show_challenge }: Probe): number {
  if (show_challenge !== undefined) return LONGEST_MS;
  const given = [look?.within_ms, watch?.for_ms, attempt, challenge, waf, ingress_check];
  const times = given.flatMap((one) => (typeof one === 'object' ? one.within_ms : (one ?? [])));
  return Math.min(LONGEST_MS, times[0] ?? 0);
}

function bounded<T extends { readonly within_ms: number }>(probe: T): T {
  return { ...probe, within_ms: Math.min(probe.within_ms, LONGEST_MS) };
}
