import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { PlacedPeer } from '../../host/peer-places.ts';
import { textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { ActiveLink, type LinkHost } from './active-link.ts';
import type { PortGuess } from './next-ports.ts';
import type { PathMessage } from './path-message.ts';
import type { Answered } from './questions.ts';

const PEER = 'node_b';
const NEAR: Place = { address: '192.168.1.7', port: 51_820 };
const FAR: Place = { address: '203.0.113.7', port: 40_001 };
const OURS: Place = { address: '203.0.113.9', port: 40_009 };
const TICK_MS = 400;

/** A link with all around it recorded. */
class Recorded {
  readonly done: string[] = [];
  readonly said: PathMessage[] = [];
  readonly asked = new Map<string, Answered[]>();
  endpoints: readonly string[] = [textOf(NEAR), textOf(FAR)];
  hindered: string | undefined;
  /** Where the peer has shown that it is. */
  proven: readonly Place[] = [NEAR, FAR];
  guess: PortGuess | undefined;
  readonly link: ActiveLink;
  now_ms = 0;
  seen: PlacedPeer = { endpoint: '127.64.0.1:700', handshake_ms: 0, rx_bytes: 0, tx_bytes: 0 };

  constructor(leads = true, place?: Place) {
    const host: LinkHost = {
      questions: {
        ask: async (to, _, answered) => {
          this.asked.set(textOf(to), [...(this.asked.get(textOf(to)) ?? []), answered]);
          return true;
        },
      },
      sendFirst: async (send) => send(this.guess),
      run: 'us',
      ownEndpoints: async () => [textOf(OURS)],
      endpointsOf: () => this.endpoints,
      hindered: () => this.hindered,
      isOutside: (endpoint) => !endpoint.startsWith('100.64.'),
      isProven: (_, { address, port }) => this.proven.some((one) => one.address === address && one.port === port),
      sendDirectly: (_, to) => void this.done.push(`direct ${textOf(to)}`),
      handOver: () => void this.done.push('hand over'),
      sendByRelay: () => void this.done.push('relay'),
      tryOtherRelay: () => void this.done.push('other relay'),
      say: (_, message) => void this.said.push(message),
      echo: () => void this.done.push('echo'),
      changed: () => undefined,
    };
    this.link = new ActiveLink({ peer: PEER, leads }, host, 0, place);
  }

  /** A look at WireGuard, so many bytes later. */
  async tick({ came = 0, went = 0, endpoint = this.seen.endpoint, isLate = false } = {}): Promise<void> {
    this.now_ms += TICK_MS;
    const { rx_bytes, tx_bytes } = this.seen;
    this.seen = { ...this.seen, endpoint, rx_bytes: rx_bytes + came, tx_bytes: tx_bytes + went };
    const isHere = endpoint?.startsWith('127.') === true;
    this.link.tick(this.seen, { isHere, isLate, now_ms: this.now_ms });
    await flushed();
  }

  answer(place: Place, rtt_ms = 3): void {
    for (const answered of this.asked.get(textOf(place)) ?? [])
      answered({ transaction: '', from: place, mapped: OURS, rtt_ms });
  }
}

const flushed = async () => {
  for (let turns = 0; turns < 10; turns++) await Promise.resolve();
};
const direct = (place: Place) => `direct ${textOf(place)}`;

describe('a link in use', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('begins with relays, asks all endpoints of the peer, and calls it', async () => {
    const { link, asked, said, tick } = bound(new Recorded());
    await tick();
    assert.equal(link.place, undefined);
    assert.deepEqual([...asked.keys()], [textOf(NEAR), textOf(FAR)]);
    assert.deepEqual(said, [{ kind: 'call', endpoints: [textOf(OURS)], next: undefined, answer: true }]);
  });

  it('goes directly to the best that answers, if it leads, and says so', async () => {
    const recorded = bound(new Recorded());
    await recorded.tick();
    recorded.answer(FAR, 1);
    recorded.answer(NEAR, 9);
    mock.timers.tick(100);
    assert.deepEqual(recorded.done, [direct(NEAR), 'echo']);
    assert.deepEqual(recorded.said.at(-1), { kind: 'direct', run: 'us', epoch: 1, from: textOf(OURS) });
    assert.match(recorded.link.why, /^direct to 192\.168\.1\.7:51820, which answered in 9\.0 ms$/);
  });

  it('leaves that to the other end, if that leads, and follows it', async () => {
    const recorded = bound(new Recorded(false));
    await recorded.tick();
    recorded.answer(FAR);
    mock.timers.tick(100);
    assert.deepEqual(recorded.done, []);
    recorded.link.messaged({ kind: 'direct', run: 'b', epoch: 1, from: textOf(FAR) }, 700);
    assert.deepEqual(recorded.done, [direct(FAR)]);
  });

  it('asks back where the peer asked from, which its NAT may have opened for it alone', async () => {
    const recorded = bound(new Recorded());
    await recorded.tick();
    recorded.link.asked({ address: '203.0.113.7', port: 61_234 });
    recorded.answer({ address: '203.0.113.7', port: 61_234 });
    mock.timers.tick(100);
    assert.deepEqual(recorded.done.slice(0, 1), ['direct 203.0.113.7:61234']);
  });

  it('says by which ports its NAT may show it, and asks those of the peer, which count only if they answer', async () => {
    const recorded = bound(new Recorded());
    recorded.guess = { address: '198.51.100.9', port: 40_003, step: 1 };
    await recorded.tick();
    const [call] = recorded.said;
    assert.deepEqual(call?.kind === 'call' && call.next, recorded.guess);
    const next = { address: FAR.address, port: 50_000, step: 2 };
    recorded.link.messaged({ kind: 'call', endpoints: [], next, answer: false }, 700);
    await flushed();
    mock.timers.tick(0);
    assert.equal(recorded.asked.size, 2 + 32);
    assert.equal(recorded.link.tried.length, 2);
    recorded.answer({ address: FAR.address, port: 50_006 });
    mock.timers.tick(100);
    assert.equal(recorded.done[0], 'direct 203.0.113.7:50006');
  });

  it('asks back also when its own search is over', async () => {
    const recorded = bound(new Recorded());
    await recorded.tick();
    mock.timers.tick(2200);
    recorded.link.asked({ address: '203.0.113.7', port: 61_234 });
    recorded.answer({ address: '203.0.113.7', port: 61_234 });
    mock.timers.tick(100);
    assert.deepEqual(recorded.done.slice(0, 1), ['direct 203.0.113.7:61234']);
  });

  it('stays with relays when nothing answers, says what became of each, and looks again, in the end every minute', async () => {
    const recorded = bound(new Recorded());
    await recorded.tick();
    mock.timers.tick(2200);
    assert.equal(recorded.link.why, 'none of its endpoints answered');
    assert.deepEqual(
      recorded.link.tried.map(({ outcome }) => outcome),
      ['silent', 'silent'],
    );
    for (const wait_ms of [4000, 15_000, 60_000, 60_000]) {
      recorded.asked.clear();
      recorded.now_ms += wait_ms - 2 * TICK_MS;
      await recorded.tick();
      assert.equal(recorded.asked.size, 0);
      await recorded.tick();
      assert.equal(recorded.asked.size, 2, `after ${wait_ms} ms`);
      mock.timers.tick(2200);
    }
  });

  it('does not look where UDP is blocked', async () => {
    const recorded = bound(new Recorded());
    recorded.hindered = 'the network of this node blocks UDP';
    await recorded.tick();
    assert.equal(recorded.asked.size, 0);
    assert.equal(recorded.link.why, 'the network of this node blocks UDP');
  });
});

describe('a direct path', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const onDirect = async () => {
    const recorded = bound(new Recorded(true, FAR));
    await recorded.tick({ endpoint: textOf(FAR) });
    return recorded;
  };

  it('that gives nothing back is asked, then packets go through relays too, and at last through relays alone', async () => {
    const recorded = await onDirect();
    await recorded.tick({ went: 500 });
    assert.deepEqual(recorded.done.splice(0), ['echo']);
    assert.ok(recorded.link.isDoubtful);
    await recorded.tick();
    assert.deepEqual(recorded.done.splice(0), ['hand over', 'echo']);
    for (let count = 0; count < 2; count++) await recorded.tick({ endpoint: '127.64.0.1:700' });
    assert.deepEqual(recorded.done.splice(0), ['echo', 'echo']);
    await recorded.tick({ came: 500 }); // what comes through relays says nothing for it
    assert.deepEqual(recorded.done, ['relay']);
    assert.deepEqual(recorded.said.at(-1)?.kind, 'relay');
    assert.equal(recorded.link.why, 'nothing came back from 203.0.113.7:40001');
    assert.equal(recorded.link.place, undefined);
  });

  it('is in doubt at once when the network of the node is another one, and looked for anew', async () => {
    const recorded = await onDirect();
    recorded.link.doubt(recorded.now_ms);
    assert.deepEqual(recorded.done.splice(0), ['hand over', 'echo']);
    assert.ok(recorded.link.isDoubtful);
    await recorded.tick({ came: 96, endpoint: textOf(FAR) });
    assert.ok(!recorded.link.isDoubtful);
    assert.equal(recorded.asked.size, 2);
  });

  it('that was in doubt is proven by a packet that comes by it', async () => {
    const recorded = await onDirect();
    for (let count = 0; count < 2; count++) await recorded.tick({ went: 500 });
    await recorded.tick({ endpoint: '127.64.0.1:700' });
    recorded.done.splice(0);
    await recorded.tick({ came: 96, endpoint: textOf(FAR) });
    assert.ok(!recorded.link.isDoubtful);
    assert.deepEqual(recorded.done, []);
  });

  it('by which nothing ever came is left, also if it was just found', async () => {
    const recorded = bound(new Recorded(false));
    await recorded.tick();
    recorded.link.messaged({ kind: 'direct', run: 'b', epoch: 1, from: textOf(FAR) }, recorded.now_ms);
    for (let count = 0; count < 3; count++) await recorded.tick({ came: 500 });
    assert.deepEqual(recorded.done, [direct(FAR), 'echo', 'echo', 'relay']);
  });

  it('by which something comes back is kept, also when programs send one way only', async () => {
    const recorded = await onDirect();
    for (let count = 0; count < 20; count++) {
      await recorded.tick({ went: 5000 });
      await recorded.tick({ went: 5000, came: 96 });
    }
    assert.ok(!recorded.done.includes('relay'));
  });

  it('that is not used is not asked, nor is a keepalive answered', async () => {
    const recorded = await onDirect();
    for (let count = 0; count < 20; count++) await recorded.tick({ went: count % 5 === 0 ? 32 : 0 });
    assert.deepEqual(recorded.done, []);
  });

  it('is not doubted when the agent itself was late', async () => {
    const recorded = await onDirect();
    await recorded.tick({ went: 500 });
    await recorded.tick({ went: 500, isLate: true });
    await recorded.tick({ went: 500 });
    await recorded.tick({ went: 500 });
    assert.ok(!recorded.done.includes('relay'));
  });

  it('is left when the other end leaves it, once, however late its word comes', async () => {
    const recorded = await onDirect();
    const relay = { kind: 'relay', run: 'b', epoch: 5, why: 'nothing came back' } as const;
    recorded.link.messaged(relay, recorded.now_ms);
    assert.deepEqual(recorded.done, ['relay']);
    recorded.link.messaged({ kind: 'direct', run: 'b', epoch: 6, from: textOf(FAR) }, recorded.now_ms);
    recorded.link.messaged(relay, recorded.now_ms);
    assert.deepEqual(recorded.done, ['relay', direct(FAR)]);
  });

  it('of an end that started anew counts from its beginning', async () => {
    const recorded = await onDirect();
    recorded.link.messaged({ kind: 'relay', run: 'b', epoch: 9, why: '' }, 0);
    recorded.link.messaged({ kind: 'direct', run: 'b2', epoch: 1, from: textOf(NEAR) }, 0);
    assert.deepEqual(recorded.done, ['relay', direct(NEAR)]);
  });

  it('follows the peer to where its packets come from', async () => {
    const recorded = await onDirect();
    await recorded.tick({ came: 500, endpoint: '198.51.100.3:51820' });
    assert.deepEqual(recorded.done, ['direct 198.51.100.3:51820']);
  });

  it('is left when the packets of the peer keep coming through a relay', async () => {
    const recorded = await onDirect();
    for (let count = 0; count < 4; count++) await recorded.tick({ came: 500, endpoint: '127.64.0.1:700' });
    assert.deepEqual(recorded.done, ['echo', 'echo', 'echo', 'relay']);
  });

  it('is looked for again soon after it was lost, and less often each time', async () => {
    const recorded = await onDirect();
    recorded.link.fallBack('lost', recorded.now_ms);
    await recorded.tick();
    assert.equal(recorded.asked.size, 0);
    recorded.now_ms += 2000;
    await recorded.tick();
    assert.equal(recorded.asked.size, 2);
  });
});

describe('a link through relays that gives nothing back', () => {
  it('is asked, and then goes by others', () => {
    const recorded = new Recorded();
    for (const ms of [400, 1400, 2400]) recorded.link.silent(ms);
    assert.deepEqual(recorded.done, ['echo', 'echo', 'other relay', 'echo']);
  });
});

describe('a peer that lies', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());
  const VICTIM: Place = { address: '198.51.100.66', port: 443 };
  const call = (endpoints: readonly string[], next?: PortGuess): PathMessage => ({
    kind: 'call',
    endpoints,
    next,
    answer: false,
  });
  const count = ({ asked }: Recorded) => [...asked.values()].reduce((sum, { length }) => sum + length, 0);

  it('has no packets sent to a third party by saying that it is there', async () => {
    for (const leads of [true, false]) {
      const recorded = bound(new Recorded(leads));
      await recorded.tick();
      recorded.link.messaged({ kind: 'direct', run: 'b', epoch: 1, from: textOf(VICTIM) }, recorded.now_ms);
      assert.deepEqual([recorded.done, recorded.link.place], [[], undefined]);
      await recorded.tick({ came: 96, endpoint: textOf(VICTIM) }); // and if it is there, WireGuard itself says so
      recorded.now_ms += 2000;
      await recorded.tick({ came: 96, endpoint: textOf(VICTIM) });
      assert.deepEqual(recorded.done, [direct(VICTIM)]);
    }
  });

  it('has a bounded number of requests sent, however often it calls, and none into the mesh', async () => {
    const recorded = bound(new Recorded(false));
    recorded.endpoints = [];
    const endpoints = Array.from({ length: 12 }, (_, last) => `198.51.100.${last + 1}:53`);
    const next = { address: VICTIM.address, port: 2000, step: 1 };
    for (let calls = 0; calls < 600; calls++) {
      recorded.link.messaged(call([...endpoints, '100.64.0.9:22'], next), calls * 100);
      await flushed();
      mock.timers.tick(100);
    }
    const search = 12 * 6 + 32 * 3;
    assert.ok(count(recorded) > search && count(recorded) <= 7 * search, `${count(recorded)} in a minute`);
    assert.ok(!recorded.asked.has('100.64.0.9:22'));
    recorded.asked.clear();
    recorded.link.messaged(call([], { address: '100.64.0.9', port: 2000, step: 1 }), 0);
    await flushed();
    mock.timers.tick(1000);
    assert.equal(count(recorded), 0);
  });

  it('that answers from many places is reported with no more than a report may have', async () => {
    const recorded = bound(new Recorded());
    await recorded.tick();
    for (let port = 1; port <= 40; port++) {
      const [answered] = recorded.asked.get(textOf(FAR)) ?? [];
      answered?.({ transaction: '', from: { ...FAR, port }, mapped: OURS, rtt_ms: 3 });
    }
    assert.equal(recorded.link.tried.length, 16);
    mock.timers.tick(100);
    assert.equal(recorded.link.tried.length, 16);
  });
});

/** Its methods may be taken apart. */
function bound(recorded: Recorded): Recorded {
  recorded.tick = recorded.tick.bind(recorded);
  return recorded;
}
