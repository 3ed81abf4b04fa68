import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { setImmediate as turned } from 'node:timers/promises';
import type { Carrier } from '../../carrier/carrier.ts';
import { MtuProbes } from './mtu-probes.ts';

const HEADERS = 28;

/** Probes with a carrier that answers what gets through. */
class Probing {
  readonly asked: number[] = [];
  readonly found: [peer: string, mtu: number][] = [];
  readonly probes: MtuProbes;
  carried = 1500;
  /** Answers that have not come yet. */
  readonly late: (() => void)[] = [];
  isLate = false;
  now_ms = performance.now();

  constructor() {
    const events: Carrier['events'] = new EventEmitter();
    let number = 0;
    const ask = (async (_: string, { to, bytes }: { readonly to: string; readonly bytes: number }) => {
      this.asked.push(bytes + HEADERS);
      const transaction = String(number++);
      const answer = () => void events.emit('echoed', { transaction, from: to, bytes, rtt_ms: 1 });
      if (this.isLate) this.late.push(answer);
      else if (bytes + HEADERS <= this.carried) answer();
      return { transaction };
    }) as unknown as Carrier['ask'];
    this.probes = new MtuProbes({
      carrier: { ask, events },
      addressOf: (peer) => (peer === 'gone' ? undefined : '100.64.0.2'),
      found: (peer, mtu) => void this.found.push([peer, mtu]),
    });
  }

  async look(path: string | undefined, { peers = ['node_b'], times = 1 } = {}): Promise<void> {
    for (let count = 0; count < times; count++) {
      this.now_ms += 400;
      for (const peer of peers) this.probes.look(peer, path, this.now_ms);
      await turned();
      await turned();
    }
  }
}

describe('probing how large packets get to peers', () => {
  it('is done once for a path, when it is still the same at the next look', async () => {
    const probing = new Probing();
    await probing.look('one');
    assert.deepEqual(probing.asked, []);
    await probing.look('one', { times: 9 });
    assert.deepEqual(probing.asked, [60, 1420]);
    assert.equal(probing.probes.of('node_b'), 1420);
    await probing.look('two', { times: 9 });
    assert.deepEqual(probing.asked, [60, 1420, 60, 1420]);
  });

  it('says what it found, and the same path is asked again after ten minutes', async () => {
    const probing = new Probing();
    probing.carried = 1400;
    await probing.look('one', { times: 9 });
    assert.deepEqual(probing.found, [['node_b', 1392]]);
    assert.equal(probing.probes.of('node_b'), 1392);
    probing.carried = 1500;
    probing.now_ms += 600_000;
    await probing.look('one', { times: 3 });
    assert.deepEqual(probing.found.at(-1), ['node_b', 1420]);
  });

  it('asks nothing while a path is in doubt, and goes on with it', async () => {
    const probing = new Probing();
    await probing.look('one');
    await probing.look(undefined, { times: 5 });
    assert.deepEqual(probing.asked, []);
    await probing.look('one');
    assert.deepEqual(probing.asked, [60, 1420]);
  });

  it('does not take the answer of one path for another', async () => {
    const probing = new Probing();
    probing.isLate = true;
    await probing.look('one', { times: 2 });
    assert.equal(probing.late.length, 2);
    await probing.look('two');
    for (const answer of probing.late) answer();
    await turned();
    assert.equal(probing.probes.of('node_b'), undefined);
    assert.deepEqual(probing.found, []);
  });

  it('is done anew when it was forgotten, and not for a peer that has no address', async () => {
    const probing = new Probing();
    await probing.look('one', { times: 3 });
    probing.probes.forgetAll();
    assert.equal(probing.probes.of('node_b'), undefined);
    await probing.look('one', { times: 3 });
    assert.equal(probing.asked.length, 4);
    await probing.look('one', { peers: ['gone'], times: 3 });
    assert.equal(probing.asked.length, 4);
  });

  it('of a thousand links at once takes some seconds, and is done for all', async () => {
    const probing = new Probing();
    const peers = Array.from({ length: 1000 }, (_, index) => `node_${index}`);
    const counts: number[] = [];
    for (let count = 0; count < 40; count++) {
      const before = probing.asked.length;
      await probing.look('one', { peers });
      counts.push(probing.asked.length - before);
    }
    assert.ok(Math.max(...counts) <= 202, `${Math.max(...counts)} at once`);
    assert.ok(peers.every((peer) => probing.probes.of(peer) === 1420));
  });
});
