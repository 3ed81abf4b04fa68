/** Agents come and go; what they made on their nodes stays, and no packet is lost by it. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import type { LabNode } from '../../src/namespaces/index.ts';
import type { LiveFlow } from '../lab-prober.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { assertGoesOn } from './flows.ts';
import { setGrants } from './grants.ts';
import { wireguardAt } from './host-faults.ts';
import { assertDropped, untilReached } from './reach.ts';
import { untilCoordinator } from './standing.ts';

/** WireGuard's own: it makes new session keys when those it has are this old, and not before. */
const REKEY_AFTER_S = 120;
/** WireGuard's, with a second for whole seconds. */
const REPEATED_AFTER_S = 7;

describe('an agent that is killed', () => {
  let scene: Scene;
  let flow: LiveFlow;
  let b = '';

  before(async () => {
    scene = await Scene.start({
      nodes: [{ name: 'a' }, { name: 'b' }],
      settings: { nodes: { heartbeat_interval_s: 2 } },
    });
    await setGrants(scene, [{ from: 'a', to: 'b', allow: ['tcp:80', 'icmp'] }]);
    b = await scene.addressOf('b');
    for (const port of [80, 81]) await scene.prober('b').listen(port);
    await untilReached(scene.prober('a'), { host: b, port: 80 });
    flow = await scene.prober('a').flow(b, 80);
    await until(
      async () => (await Promise.all(['a', 'b'].map((name) => isSettled(scene.lab.node(name))))).every(Boolean),
      () => 'both ends hold on to their session',
    );
  });
  after(() => scene?.[Symbol.asyncDispose]());

  for (const name of ['a', 'b']) {
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      test(`${name}'s by ${signal}, and started again: not one packet is lost, and no session begins anew`, async () => {
        const node = scene.lab.node(name);
        const [daemons, handshakes] = [await wireguardAt(node), await handshakesOf(node)];
        assert.equal(daemons.length, 1);
        await using pings = new Pings(scene.lab.node('a'), b);
        await pings.untilSome();
        await node.agent.stop(signal);
        await pings.untilSome();
        await node.agent.start();
        await untilCoordinator(node, 'there');
        await pings.untilSome();
        assert.deepEqual(await pings.lost(), [], await countersOf(scene.lab.node('b')));
        await assertGoesOn(flow, 'that was there before');
        await assertDropped(scene.prober('a'), { host: b, port: 81 });
        assert.deepEqual(await wireguardAt(node), daemons, 'the same WireGuard process');
        assertSameSessions(await handshakesOf(node), handshakes);
      });
    }
  }
});

/** A ping every 20 ms. */
class Pings implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #said = '';

  constructor(from: LabNode, to: string) {
    this.#child = from.spawn('ping', ['-i', '0.02', to], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
    this.#ended = once(this.#child, 'close');
  }

  /** The numbers of those that were answered. */
  get #answered(): number[] {
    return Array.from(this.#said.matchAll(/icmp_seq=(\d+) /g), ([, number]) => Number(number));
  }

  /** Waits for answers to come in from now on. */
  async untilSome(): Promise<void> {
    const { length } = this.#answered;
    await until(
      () => this.#answered.length >= length + 10,
      () => `pings are answered: ${this.#said}`,
    );
  }

  /** The numbers of those that were not answered, though a later one was. */
  async lost(): Promise<number[]> {
    this.#child.kill('SIGINT');
    await this.#ended;
    const answered = new Set(this.#answered);
    return Array.from({ length: Math.max(...answered) }, (_, index) => index + 1).filter((n) => !answered.has(n));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** Where a packet that was lost may have been counted. */
async function countersOf(node: LabNode): Promise<string> {
  const denied = await node.exec('nft', ['list', 'counters', 'table', 'inet', 'mesh']);
  return [
    denied,
    await node.exec('ip', ['-s', 'link', 'show', 'mesh0']),
    await node.exec('cat', ['/proc/net/snmp']),
  ].join('\n');
}

/** By key of the peer, in seconds. */
async function handshakesOf(node: LabNode): Promise<ReadonlyMap<string, number>> {
  const lines = (await node.exec('wg', ['show', 'mesh0', 'latest-handshakes'])).trim().split('\n');
  return new Map(lines.map((line) => line.split('\t')).map(([key = '', at]) => [key, Number(at)]));
}

/** A beginning that crossed with one of the other end is repeated after five seconds, whatever an agent does. */
async function isSettled(node: LabNode): Promise<boolean> {
  const newest = Math.max(...(await handshakesOf(node)).values());
  return newest > 0 && Date.now() / 1000 - newest > REPEATED_AFTER_S;
}

function assertSameSessions(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): void {
  assert.deepEqual([...now.keys()], [...before.keys()]);
  for (const [key, at] of before) {
    assert.ok(at > 0);
    const later_s = (now.get(key) ?? 0) - at;
    // Of whole seconds, the difference can be one less than the time.
    assert.ok(later_s === 0 || later_s >= REKEY_AFTER_S - 1, `a handshake ${later_s} s after the one before`);
  }
}
