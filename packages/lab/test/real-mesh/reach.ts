import assert from 'node:assert/strict';
import type { Place } from '../../src/namespaces/index.ts';
import type { Prober } from '../lab-prober.ts';
import type { Contact, Protocol } from '../lab-probes.ts';
import { until } from '../until.ts';

/** For what is dropped: no answer comes, so it costs the whole time. A granted one takes a hundredth of it. */
const SOON_MS = 800;

interface Target {
  readonly host: string;
  readonly port: number;
  readonly protocol?: Protocol;
}

/** Waits for a change to take effect: that a target is reached from now on. */
export async function untilReached(from: Prober, target: Target): Promise<void> {
  await untilOutcome(from, target, 'connected');
}

/** Waits for a change to take effect: that no answer comes from there any more. */
export async function untilDropped(from: Prober, target: Target): Promise<void> {
  await untilOutcome(from, target, 'timed out');
}

async function untilOutcome(from: Prober, target: Target, wanted: Contact['outcome']): Promise<void> {
  const { host, port, protocol = 'tcp' } = target;
  let last: Contact['outcome'] | undefined;
  await until(
    async () => {
      last = (await from.connect(host, port, { protocol, timeout_ms: SOON_MS })).outcome;
      return last === wanted;
    },
    () => `${protocol} to ${host} port ${port} should be ${wanted}, and is ${last}`,
  );
}

/** Now, without waiting for anything: a target that must be reached. */
export async function assertReached(from: Prober, { host, port, protocol = 'tcp' }: Target): Promise<void> {
  const { outcome } = await from.connect(host, port, { protocol, timeout_ms: 10_000 });
  assert.equal(outcome, 'connected', `${protocol} to ${host} port ${port}`);
}

/** Now, without waiting for anything: a target that must not answer, not even with a refusal. */
export async function assertDropped(from: Prober, { host, port, protocol = 'tcp' }: Target): Promise<void> {
  const { outcome } = await from.connect(host, port, { protocol, timeout_ms: SOON_MS });
  assert.equal(outcome, 'timed out', `${protocol} to ${host} port ${port}`);
}

export async function assertPings(from: Place, target: string, ...options: string[]): Promise<void> {
  assert.match(await from.exec('ping', [...options, '-c', '1', '-W', '10', target]), / 0% packet loss/);
}

export async function assertPingDropped(from: Place, target: string): Promise<void> {
  await assert.rejects(from.exec('ping', ['-c', '1', '-W', '1', target]), /100% packet loss/);
}
