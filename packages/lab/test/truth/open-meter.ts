/** How long the filter of a node is open after another program changed it: datagrams that only an open filter lets through. */
import type { Opening } from '../lab-probes.ts';
import { FAULTS } from './faults/index.ts';
import { METER_PORT, NAMES } from './roster.ts';
import type { RunningFault } from './running-fault.ts';
import type { OpenTime } from './tally.ts';
import { bare, type World } from './world.ts';

export class OpenMeter {
  readonly #fault: RunningFault;
  readonly #end: () => Promise<readonly Opening[]>;

  private constructor(fault: RunningFault, end: () => Promise<readonly Opening[]>) {
    this.#fault = fault;
    this.#end = end;
  }

  /** Undefined: the fault opens nothing, or the policy grants what would be measured with. */
  static async start(
    world: World,
    fault: RunningFault,
    faults: readonly RunningFault[],
  ): Promise<OpenMeter | undefined> {
    const { node } = fault.plan;
    if (FAULTS[fault.plan.fault].opens !== true) return undefined;
    for (const from of NAMES) {
      if (from === node || faults.some((each) => each.concerns([from]) && each !== fault)) continue;
      const query = { from, to: bare(world.node(node).address), port: `udp:${METER_PORT}` };
      const { verdict } = (await world.scene.client.call('acls.explain', { query })).body;
      if (verdict !== 'denied') continue;
      return new OpenMeter(fault, await world.prober(from).beat(query.to, METER_PORT));
    }
    return undefined;
  }

  /** Undefined: nothing got through. */
  async end(round: number): Promise<OpenTime | undefined> {
    const [first] = await this.#end();
    const { plan, put_back_ms, begun_ms } = this.#fault;
    if (first === undefined) return undefined;
    const reported_ms = put_back_ms === null ? null : put_back_ms - begun_ms;
    return { round, fault: plan.fault, node: plan.node, open_ms: first.to_ms - first.from_ms, reported_ms };
  }
}
