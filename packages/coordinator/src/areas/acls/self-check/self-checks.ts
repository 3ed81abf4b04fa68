/**
 * The mesh audits itself: pairs of nodes are picked at random, one tries to reach the other, and what happens is compared with
 * what explain says. What a check costs does not depend on the size of the mesh; `npm run bench -- self-check` measures it.
 */
import { type NodeId, type ProbeReport, type SelfCheck, WHOLE_MESH } from '@meshwork/contract';
import type { Duty } from '../../../duties/duty.ts';
import { COORDINATOR } from '../../../mesh/actor.ts';
import { POLICY_ID } from '../../../mesh/policy-in-effect.ts';
import type { Runtime } from '../../runtime.ts';
import { askingOf } from '../asking.ts';
import { type ProbedWay, portText, probeWay } from '../probe-way.ts';
import { type CheckedPair, CheckTally } from './check-tally.ts';
import { PairSampler, type SampledPair } from './pair-sampler.ts';

/** Ours: 10,000 nodes send 27,000 heartbeats in this time, and a check costs as much as 20 of them. */
const EVERY_MS = 40_000;
/** Ours: nodes that changed and have not been checked since, at most. */
const MOST_CHANGED = 256;
/** Ours: no event follows another within this time. */
const EVENT_EVERY_MS = 600_000;

export class SelfChecks implements Duty {
  readonly name = 'policy.self_check';
  readonly on: NonNullable<Duty['on']>;
  readonly #runtime: Runtime;
  readonly #tally: CheckTally;
  readonly #sampler: PairSampler;
  readonly #changed = new Set<NodeId>();
  readonly #counted: (verdict: string, reality: string) => void;
  #checked_ms = Number.NEGATIVE_INFINITY;
  #reported_ms = Number.NEGATIVE_INFINITY;

  constructor(
    runtime: Runtime,
    { random = Math.random, counted }: { random?: () => number; counted: (verdict: string, reality: string) => void },
  ) {
    this.#runtime = runtime;
    this.#sampler = new PairSampler(runtime, random);
    this.#counted = counted;
    this.#tally = new CheckTally(runtime.mesh.clock.now());
    const changed = ({ id }: { readonly id: string }) => this.#note(id as NodeId);
    this.on = { node: changed, report: changed, drift: changed };
  }

  /** 0: it is due, also because the clock was set back. */
  get next_at(): number {
    const isDue = Math.abs(this.#runtime.mesh.clock.now() - this.#checked_ms) >= EVERY_MS;
    return isDue ? 0 : this.#checked_ms + EVERY_MS;
  }

  get all(): SelfCheck {
    return this.#tally.all;
  }

  async run(): Promise<void> {
    this.#checked_ms = this.#runtime.mesh.clock.now();
    const pair = this.#sampler.next(this.#changed);
    if (pair === undefined) return;
    for (const { id } of [pair.source, pair.target]) this.#changed.delete(id as NodeId);
    const report = await this.#settled(pair);
    const { mesh } = this.#runtime;
    const about = aboutOf(pair);
    this.#counted(report.explanation.verdict, report.reality);
    if (this.#tally.count(about, report, mesh.clock.now())) await this.#announce(about, report);
  }

  /**
   * Where the two disagree, something may just have changed. So it is tried once more, and only a lasting one counts. The far end
   * watches then, and where a packet gets no answer by itself.
   */
  async #settled(pair: SampledPair): Promise<ProbeReport> {
    const first = await this.#probe({ ...pair, unwatched: pair.wanted.protocol !== 'udp' });
    return first.agrees === false ? this.#probe(pair) : first;
  }

  #probe(pair: ProbedWay): Promise<ProbeReport> {
    const asking = askingOf(this.#runtime, { scope: WHOLE_MESH, now_ms: this.#runtime.mesh.clock.now() });
    return probeWay(asking, pair);
  }

  async #announce({ from, to, port }: CheckedPair, report: ProbeReport): Promise<void> {
    const { mesh } = this.#runtime;
    const now_ms = mesh.clock.now();
    if (Math.abs(now_ms - this.#reported_ms) < EVENT_EVERY_MS) return;
    this.#reported_ms = now_ms;
    const { reality, reason, explanation } = report;
    const data = { from, to, port, verdict: explanation.verdict, reality, reason };
    await mesh.transact({ actor: COORDINATOR, action: 'policy.self_check' }, (tx) => {
      tx.emit({
        type: 'policy.explain_disagreed',
        subject: { kind: 'policy', id: POLICY_ID },
        scope: WHOLE_MESH,
        data,
      });
    });
  }

  #note(id: NodeId): void {
    if (this.#changed.size < MOST_CHANGED) this.#changed.add(id);
  }
}

function aboutOf({ source, address, wanted }: SampledPair): CheckedPair {
  return { from: source.body.name, to: address, port: portText(wanted) };
}
