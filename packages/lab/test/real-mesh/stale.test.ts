/** A node that sends no heartbeats, though it still carries traffic: the policy says whether its peers keep it. */
import { after, before, describe, test } from 'node:test';
import type { Explanation } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { assertGoesOn, untilStopped } from './flows.ts';
import { assertDropped, assertReached, untilDropped, untilReached } from './reach.ts';

/** Short, so that a test need not wait for long. */
const SETTINGS = { nodes: { heartbeat_interval_s: 1, stale_after_s: 3, unreachable_after_s: 600 } };

describe('a stale node', () => {
  let scene: Scene;
  const address = { silent: '', heard: '' };
  const there = () => ({ host: address.silent, port: 80 });
  const back = () => ({ host: address.heard, port: 80 });

  before(async () => {
    scene = await Scene.start({ nodes: [{ name: 'heard' }, { name: 'silent' }], settings: SETTINGS });
    for (const name of ['heard', 'silent'] as const) {
      address[name] = await scene.addressOf(name);
      await scene.prober(name).listen(80);
    }
  });
  after(() => scene?.[Symbol.asyncDispose]());

  async function setStale(stale: 'keep' | 'drop'): Promise<void> {
    const policy = { groups: { all: ['*'] }, grants: [{ from: 'all', to: 'all', allow: ['tcp:80'] }], stale };
    await scene.client.call('acls.replace', { body: JSON.stringify(policy) });
  }

  async function untilState(state: string): Promise<void> {
    await until(
      async () => (await scene.node('silent')).state === state,
      () => `the node is ${state}`,
    );
  }

  async function explain(from: string, to: string): Promise<Explanation> {
    return (await scene.client.call('acls.explain', { query: { from, to, port: 'tcp:80' } })).body;
  }

  async function assertExplained(verdict: Explanation['verdict'], reason: RegExp): Promise<void> {
    for (const [from, to] of [
      ['heard', 'silent'],
      ['silent', 'heard'],
    ] as const) {
      let explained: Explanation | undefined;
      // On a busy machine the other one may be overdue as well, for a moment.
      await until(
        async () => {
          explained = await explain(from, to);
          return explained.verdict === verdict && reason.test(explained.reason);
        },
        () => `${from} to ${to} is ${verdict}, ${reason}, and not ${explained?.verdict}: ${explained?.reason}`,
      );
    }
  }
  /** Peers let go of it: that is known, though nothing else is. */
  const assertDenied = () => assertExplained('denied', /silent was last seen .* drop it/);
  const assertUnknown = () => assertExplained('unknown', /silent was last seen .* present state is unknown/);

  async function reachedBothWays(): Promise<void> {
    await untilReached(scene.prober('heard'), there());
    await untilReached(scene.prober('silent'), back());
  }

  test('keep: its peers go on talking with it, and explain says that it does not know', async () => {
    await setStale('keep');
    await reachedBothWays();
    const flow = await scene.prober('heard').flow(address.silent, 80);
    await scene.lab.node('silent').agent.stop('SIGKILL');
    await untilState('stale');
    await assertGoesOn(flow, 'to the stale node');
    await assertReached(scene.prober('heard'), there());
    await assertReached(scene.prober('silent'), back());
    await assertUnknown();
    await flow.end();
  });

  test('drop, said while it is stale: its peers let go of it', async () => {
    const flow = await scene.prober('heard').flow(address.silent, 80);
    await setStale('drop');
    await untilStopped(flow, 'to the stale node');
    await assertDropped(scene.prober('heard'), there());
    await assertDropped(scene.prober('silent'), back());
    await assertDenied();
    await flow.end();
  });

  test('drop: it is taken back with its next heartbeat, and dropped when it falls silent', async () => {
    const { agent } = scene.lab.node('silent');
    await agent.start();
    await untilState('active');
    await reachedBothWays();
    const flow = await scene.prober('silent').flow(address.heard, 80);
    await agent.stop('SIGTERM');
    await untilStopped(flow, 'of the node that falls silent');
    await untilDropped(scene.prober('heard'), there());
    await untilState('stale');
    await assertDenied();
  });

  test('keep, set while it is dropped: its peers take it back though it is still silent', async () => {
    await setStale('keep');
    await reachedBothWays();
    await assertUnknown();
  });
});
