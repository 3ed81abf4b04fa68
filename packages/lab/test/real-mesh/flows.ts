import type { LiveFlow } from '../lab-prober.ts';
import type { FlowState } from '../lab-probes.ts';
import { until } from '../until.ts';

/** A flow sends fifty times a second: when nothing arrives for this long, it was cut. */
const STOPPED_MS = 1_500;

/** That data comes back now, on the connection that was opened before. */
export async function assertGoesOn(flow: LiveFlow, what: string): Promise<void> {
  const { returned_bytes: before } = await flow.state();
  let state: FlowState | undefined;
  await until(
    async () => {
      state = await flow.state();
      if (state.ended !== null) throw new Error(`the flow ${what} has ended: ${state.ended}`);
      return state.returned_bytes > before;
    },
    () => `the flow ${what} goes on; it is ${JSON.stringify(state)}`,
  );
}

/** That nothing comes back any more. A connection that was cut gets no error: it is just silent. */
export async function untilStopped(flow: LiveFlow, what: string): Promise<void> {
  let state: FlowState | undefined;
  await until(
    async () => {
      state = await flow.state();
      return state.quiet_ms > STOPPED_MS;
    },
    () => `the flow ${what} is cut; it is ${JSON.stringify(state)}`,
  );
}
