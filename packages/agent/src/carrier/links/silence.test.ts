import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANSWERED, Link } from './link.ts';
import { Silence } from './silence.ts';

/** Whole, so that sums are exact. */
const START = Math.ceil(performance.now());

describe('a link that waits for an answer', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  /** Looks each 100 ms, as the timer does, from the last look on. */
  function watching(link = new Link({ peer: 'a', address: '127.64.0.0' })) {
    const reported: number[] = [];
    const silence = new Silence(({ ms }) => reported.push(ms));
    let at_ms = START;
    const lookUntil = (until_ms: number) => {
      while (at_ms < START + until_ms) {
        at_ms += 100;
        silence.look(at_ms);
      }
    };
    const send = () => {
      link.sent_packets++;
      if (link.unanswered_ms === ANSWERED) silence.watch(link, at_ms);
    };
    return { silence, link, send, lookUntil, reported: () => reported.splice(0) };
  }

  it('is reported after 400 ms, and again each second only while packets leave', () => {
    const { silence, send, lookUntil, reported } = watching();
    const before = timers();
    send();
    assert.equal(timers(), before + 1);
    lookUntil(300);
    assert.deepEqual(reported(), []);
    lookUntil(1200);
    assert.deepEqual(reported(), [400]);
    send();
    lookUntil(2300);
    assert.deepEqual(reported(), [1400]);
    lookUntil(2400);
    assert.equal(timers(), before); // nothing leaves any more
    send();
    lookUntil(3000);
    assert.deepEqual(reported(), [400]);
    silence.close();
  });

  it('waits no more as soon as anything comes', () => {
    const { link, send, lookUntil, reported } = watching();
    const before = timers();
    for (const until_ms of [300, 600, 900]) {
      send();
      lookUntil(until_ms);
      link.unanswered_ms = ANSWERED;
    }
    lookUntil(1000);
    assert.deepEqual(reported(), []);
    assert.equal(timers(), before);
  });

  it('begins to wait anew when the process itself did not run', () => {
    const { silence, send, reported } = watching();
    send();
    silence.look(START + 100);
    silence.look(START + 5000);
    silence.look(START + 5100);
    assert.deepEqual(reported(), []);
    for (let ms = 5200; ms <= 5400; ms += 100) silence.look(START + ms);
    assert.deepEqual(reported(), [400]);
    silence.close();
  });

  it('is one of many that are reported with a later look when there are too many', () => {
    const reported = new Set<string>();
    const silence = new Silence(({ peer }) => reported.add(peer));
    for (let number = 0; number < 800; number++) {
      silence.watch(new Link({ peer: String(number), address: '127.64.0.0' }), START);
    }
    for (let ms = 100; ms <= 400; ms += 100) silence.look(START + ms);
    assert.equal(reported.size, 500);
    for (let ms = 500; ms <= 1100; ms += 100) silence.look(START + ms);
    assert.equal(reported.size, 800);
    silence.close();
  });
});
