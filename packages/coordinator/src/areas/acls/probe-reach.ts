/** An operator has a node try to reach something. */
import { formatAddress, parseAddress } from '@meshwork/addresses';
import type { ProbeReport } from '@meshwork/contract';
import { RateLimit } from '@meshwork/service';
import { boundaryOfNode } from '../../mesh/node-state.ts';
import type { Call } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { type Asking, askingOf } from './asking.ts';
import { explanationOf, factsFor, visibleNode, wantedPort } from './explain-reach.ts';
import { addressIn, familiesOf } from './name-families.ts';
import { type ProbedWay, portText, probeWay } from './probe-way.ts';

/** Ours, for each token: enough to look into something, and far too few to find out what listens where. */
const RATE = { rate_per_s: 1, burst: 5 };

export class ProbeReach {
  readonly #runtime: Runtime;
  readonly #limit: RateLimit;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#limit = new RateLimit(runtime.mesh.clock);
  }

  async probe(call: Call<'acls.probe'>): Promise<ProbeReport> {
    const asking = askingOf(this.#runtime, { scope: call.actor.scope, now_ms: call.now_ms });
    const way = wayFor(asking, call.body);
    if (way === undefined) return untried(asking, call.body);
    this.#limit.take(call.actor.id, RATE);
    const { source, address, wanted } = way;
    await call.transact((tx) => {
      const detail = `tries ${portText(wanted)} to ${address}`;
      tx.record({ target: { kind: 'node', id: source.id }, scope: boundaryOfNode(source.body), detail });
    });
    const report = await probeWay(asking, way);
    call.ensureStillAllowed();
    return report;
  }
}

/**
 * A name has several addresses: what is tried is the one that hosts prefer, and the answer says which. Undefined: an end does not
 * exist, or may not be seen.
 */
function wayFor(asking: Asking, { from, to, port }: Call<'acls.probe'>['body']): ProbedWay | undefined {
  const wanted = wantedPort(port);
  const source = visibleNode(asking, from);
  if (source === undefined) return undefined;
  const parsed = parseAddress(to);
  if (parsed !== undefined) return { source, address: formatAddress(parsed), wanted };
  const answer = explanationOf(asking.runtime, factsFor(asking, { from, to, port: wanted }));
  const far = answer.to.id === null ? undefined : visibleNode(asking, answer.to.id);
  if (far === undefined) return undefined;
  return { source, address: addressIn(far, familiesOf(source, far).at(-1)), wanted: wanted ?? wantedPort(answer.port) };
}

function untried(asking: Asking, { from, to, port }: Call<'acls.probe'>['body']): ProbeReport {
  const explanation = explanationOf(asking.runtime, factsFor(asking, { from, to, port: wantedPort(port) }));
  const { reason } = explanation;
  return { reality: 'unknown', reason, agrees: null, attempt: null, arrival: null, explanation, took_ms: 0 };
}
