import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Place } from '../../stun/xor-address.ts';
import { guessedPlaces, guessFrom, NextPorts, type PortGuess } from './next-ports.ts';

const ADDRESS = '198.51.100.9';
const at = (...ports: readonly number[]) => ports.map((port) => ({ address: ADDRESS, port }));

describe('the next port of a NAT', () => {
  it('is guessed from three that it gave one after the other', () => {
    const cases: readonly [seen: readonly (Place | undefined)[], step: number | undefined][] = [
      [at(40_000, 40_001, 40_002), 1],
      [at(40_000, 40_002, 40_004), 2],
      [at(40_000, 40_002, 40_008), 2],
      [at(40_000, 40_001, 40_004), 1],
      [at(40_004, 40_003, 40_002), -1],
      [at(40_000, 40_000, 40_000), undefined],
      [at(40_000, 40_001, 40_000), undefined],
      [at(40_000, 40_100, 40_200), undefined],
      [at(51_022, 1188, 33_017), undefined],
      [[...at(40_000, 40_001), undefined], undefined],
      [[...at(40_000, 40_001), { address: '198.51.100.10', port: 40_002 }], undefined],
      [[], undefined],
    ];
    for (const [seen, step] of cases) assert.equal(guessFrom(seen)?.step, step, JSON.stringify(seen));
    assert.deepEqual(guessFrom(at(7000, 7002, 7004)), { address: ADDRESS, port: 7004, step: 2 });
  });

  it('is one of a few, and of those that a NAT gives', () => {
    assert.deepEqual(
      guessedPlaces({ address: ADDRESS, port: 65_532, step: 1 }).map(({ port }) => port),
      [65_533, 65_534, 65_535],
    );
    assert.equal(guessedPlaces({ address: ADDRESS, port: 40_000, step: -1 }).length, 32);
    assert.deepEqual(guessedPlaces({ address: ADDRESS, port: 1024, step: -1 }), []);
  });
});

describe('the first packets to a peer', () => {
  /** A NAT that counts, with relays that answer at so many ports. */
  function behindNat({ isHard = true, ports = 8, next = (port: number) => port + 1 } = {}) {
    const asked: string[] = [];
    const mapped = new Map<number, number>();
    let port = 40_000;
    const nextPorts = new NextPorts({
      isHard: () => isHard,
      places: async () =>
        Array.from({ length: ports }, (_, index) => ({ address: '203.0.113.9', port: 65_500 + index })),
      questions: {
        ask: async (to, _, answered) => {
          asked.push(String(to.port));
          if (!mapped.has(to.port)) {
            port = next(port);
            mapped.set(to.port, port);
          }
          const seen = { address: ADDRESS, port: mapped.get(to.port) ?? 0 };
          setImmediate(() => answered({ transaction: '', from: to, mapped: seen, rtt_ms: 1 }));
          return true;
        },
      },
    });
    const guessed: (PortGuess | undefined)[] = [];
    const send = () =>
      nextPorts.before((guess) => {
        guessed.push(guess);
        for (let packets = 0; packets < 2; packets++) port = next(port); // they have ports of their own
      });
    return { send, asked, guessed };
  }

  it('are sent right after the NAT was asked, which is asked once for several peers at the same time', async () => {
    const { send, asked, guessed } = behindNat();
    await Promise.all([send(), send(), send()]);
    assert.deepEqual(asked, ['65500', '65501', '65502']);
    assert.deepEqual(
      guessed.map((guess) => guess?.port),
      [40_003, 40_003, 40_003],
    );
  });

  it('are sent after questions to places that the NAT does not know yet, as long as there are some', async (t) => {
    const { send, asked, guessed } = behindNat({ ports: 5 });
    let now_ms = 0;
    t.mock.method(performance, 'now', () => now_ms);
    for (let times = 0; times < 4; times++) {
      await send();
      now_ms += 10_000;
    }
    assert.deepEqual(asked, ['65500', '65501', '65502', '65503', '65504']);
    assert.deepEqual(
      guessed.map((guess) => guess?.port),
      [40_003, 40_006, 40_009, undefined],
    );
  });

  it('are sent at once where every peer sees the same port', async () => {
    const { send, asked, guessed } = behindNat({ isHard: false });
    const sent = send();
    assert.deepEqual(guessed, [undefined]);
    await sent;
    assert.deepEqual(asked, []);
  });

  it('are sent without a guess where the NAT does not count, and it is not asked again', async () => {
    const { send, asked, guessed } = behindNat({ next: (port) => port + 777 });
    await send();
    await send();
    assert.deepEqual([asked.length, guessed], [3, [undefined, undefined]]);
  });

  it('are sent without a guess where no relay says more', async () => {
    const { send, asked, guessed } = behindNat({ ports: 2 });
    await send();
    assert.deepEqual([asked, guessed], [[], [undefined]]);
  });
});
