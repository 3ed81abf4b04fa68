import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command, EventName } from '../control/messages.ts';
import { CarriedLinks } from './carried-links.ts';
import { placeText, type Through } from './link.ts';

const PEER = 'a';
const [HOME, OTHER, STRANGE] = [1, 2, 3].map((port) => ({ address: '203.0.113.9', port })) as [Place, Place, Place];
type Place = { readonly address: string; readonly port: number };
const DATA = Buffer.from([4, 0, 0, 0, ...Array.from({ length: 60 }, () => 7)]);
const SECOND = 1000;
/** Whole, so that sums are exact. */
const now = () => Math.ceil(performance.now());

/** Links through allocations that only note what is sent by them, and what is reported of the links. */
function scene(...names: readonly string[]) {
  const [left, events, heard]: [string[], string[], string[]] = [[], [], []];
  let kept = names.map((allocation): Through => {
    const through: Through = {
      wanted: { allocation },
      wayTo: (to) => ({ send: () => left.push(`${allocation} ${to.port}`), through, to, place: placeText(to) }),
    };
    return through;
  });
  const links = new CarriedLinks({
    report: (event: EventName, facts: object) => events.push([event, ...Object.values(facts)].map(spelled).join(' ')),
    wayOf: (wanted) => {
      const found = 'via' in wanted ? kept.find((one) => one.wanted.allocation === wanted.via) : undefined;
      if (found === undefined || !('to' in wanted)) throw new Error('there is no such allocation');
      return found.wayTo(wanted.to);
    },
    isKept: (allocation) => kept.includes(allocation),
    deliver: (_, address) => heard.push(address),
  });
  const set = (link: Omit<Command<'links'>['set'][number], 'peer'>, peer = PEER) =>
    links.change({ set: [{ peer, ...link }], remove: [] }).addresses[0]?.address ?? '';
  const taken = (list: string[]) => list.splice(0);
  return {
    links,
    set,
    reported: () => taken(events),
    left: () => taken(left),
    delivered: () => taken(heard),
    send: (address: string, now_ms: number) => links.sent(DATA, address, now_ms),
    arrive: (allocation: string, from: Place, now_ms: number) => {
      const through = kept.find(({ wanted }) => wanted.allocation === allocation);
      if (through !== undefined) links.arrived({ allocation: through, data: DATA, from, now_ms });
    },
    lose: (allocation: string) => {
      kept = kept.filter(({ wanted }) => wanted.allocation !== allocation);
      links.withoutWaysVia(allocation);
    },
    state: () => links.state().links[0],
  };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
const spelled = (value: unknown) => (typeof value === 'object' ? String((value as Place).port) : String(value));

describe('a link that was quiet', () => {
  it('wakes the agent when it is used by either side, also if it has a way', (t) => {
    const { links, set, send, arrive, reported } = scene('home');
    t.after(() => links.close());
    const start = now();
    const address = set({ ways: [{ via: 'home', to: HOME }] });
    for (const seconds of [0, 1, 15.9]) send(address, start + seconds * SECOND);
    assert.deepEqual(reported(), ['woken a node']);
    for (const seconds of [30, 45.1, 46]) arrive('home', HOME, start + seconds * SECOND);
    assert.deepEqual(reported(), ['woken a peer']);
    send(address, start + 62 * SECOND);
    assert.deepEqual(reported(), ['woken a node']);
  });

  it('wakes it when it is used again that was only kept, and not because it is kept', (t) => {
    const { links, set, send, reported } = scene('home');
    t.after(() => links.close());
    const start = now();
    const address = set({ ways: [{ via: 'home', to: HOME }] });
    const keep = (seconds: number, data: Buffer) => links.sent(data, address, start + seconds * SECOND);
    const [keepalive, handshake] = [DATA.subarray(0, 32), Buffer.alloc(148, 1)];
    keep(0, handshake);
    assert.deepEqual(reported(), ['woken a node']);
    send(address, start + SECOND);
    for (let seconds = 25; seconds < 200; seconds += 25) keep(seconds, seconds % 100 === 0 ? handshake : keepalive);
    assert.deepEqual(reported(), []);
    send(address, start + 200 * SECOND);
    assert.deepEqual(reported(), ['woken a node']);
    keep(300, handshake);
    assert.deepEqual(reported(), ['woken a node']);
  });

  it('wakes it each second while packets wait for a way, also right after the peer woke it', () => {
    const { set, send, arrive, reported } = scene('home');
    const start = now();
    const address = set({ places: [HOME] });
    arrive('home', HOME, start);
    for (const ms of [10, 500, 1000, 1100, 2500]) send(address, start + ms);
    assert.deepEqual(reported(), ['woken a peer', 'woken a node', 'woken a node', 'woken a node']);
  });

  it('wakes it with a later packet when too many did at once', (t) => {
    const { links, set, send, reported } = scene('home');
    t.after(() => links.close());
    const peers = Array.from({ length: 800 }, (_, index) => `node-${index}`);
    const addresses = peers.map((peer) => set({ ways: [{ via: 'home', to: HOME }] }, peer));
    const start = now() + SECOND;
    for (const address of addresses) send(address, start);
    assert.equal(reported().length, 500);
    for (const address of addresses) send(address, start + 2 * SECOND);
    assert.equal(reported().length, 300);
    for (const address of addresses) send(address, start + 4 * SECOND);
    assert.deepEqual(reported(), []);
  });
});

describe('a link with a spare way', () => {
  const [ways, spare] = [[{ via: 'home', to: HOME }], { via: 'standby', to: OTHER }];

  it('goes on by it when its allocation is lost, and shows it', () => {
    const { set, send, left, lose, state } = scene('home', 'standby');
    const address = set({ ways, spares: [spare] });
    assert.deepEqual([state()?.ways, state()?.spares], [ways, [spare]]);
    lose('home');
    assert.deepEqual([state()?.ways, state()?.spares], [[spare], []]);
    send(address, now());
    assert.deepEqual(left(), ['standby 2']);
  });

  it('sends by it what waits, when it comes after the loss, and not when the agent wants no way', () => {
    const { set, send, left, lose, state } = scene('home', 'standby');
    const address = set({ ways });
    lose('home');
    send(address, now());
    set({ spares: [spare] });
    assert.deepEqual(left(), ['standby 2']);
    set({ ways: [], spares: [spare] });
    send(address, now());
    assert.deepEqual([left(), state()?.ways, state()?.spares], [[], [], [spare]]);
  });

  it('loses it with the allocation that both go through, and keeps it while one way is left', () => {
    const { set, lose, state } = scene('home', 'standby', 'third');
    set({ ways, spares: [{ via: 'home', to: OTHER }] });
    lose('home');
    assert.deepEqual([state()?.ways, state()?.spares], [[], []]);
    const other = { via: 'third', to: STRANGE };
    set({ ways: [{ via: 'standby', to: HOME }, other], spares: [{ via: 'third', to: OTHER }] });
    lose('standby');
    assert.deepEqual([state()?.ways, state()?.spares], [[other], [{ via: 'third', to: OTHER }]]);
    set({ ways: [other] });
    assert.deepEqual(state()?.spares, []);
  });

  it('sends by it too while nothing comes back, for some packets each second, and not when something does', async (t) => {
    const { links, set, send, left, arrive, reported } = scene('home', 'standby');
    t.after(() => links.close());
    const address = set({ ways, spares: [spare, { via: 'standby', to: STRANGE }] });
    send(address, performance.now());
    assert.deepEqual(left(), ['home 1']);
    while (!reported().some((event) => event.startsWith('silent'))) await soon();
    send(address, performance.now());
    assert.deepEqual(left(), ['home 1', 'standby 2', 'standby 3']);
    for (let count = 0; count < 100; count++) send(address, performance.now());
    assert.equal(left().length, 100 + 2 * 63);
    arrive('home', HOME, performance.now());
    send(address, performance.now());
    assert.deepEqual(left(), ['home 1']);
  });

  it('is refused before anything has changed when the spare way is not known', () => {
    const { set, state } = scene('home');
    set({ ways });
    assert.throws(() => set({ ways: [], spares: [spare] }), /no such allocation/);
    assert.deepEqual(state()?.ways, ways);
  });
});

describe('a link with one relayed way', () => {
  const ways = [{ via: 'home', to: HOME }];
  const standby = { via: 'standby', to: OTHER };

  it('follows its peer to places that the agent named, at any allocation, and back', () => {
    const { set, arrive, reported, state } = scene('home', 'standby');
    const start = now() + 2 * SECOND;
    set({ ways, places: [OTHER] });
    arrive('home', HOME, start);
    reported();
    arrive('standby', OTHER, start + 300);
    assert.deepEqual([state()?.ways, reported()], [[standby], ['followed a standby 2']]);
    arrive('home', HOME, start + 1000);
    assert.deepEqual([state()?.ways, reported()], [ways, []]); // not twice in a second
    arrive('home', HOME, start + 1400);
    assert.deepEqual(reported(), ['followed a home 1']);
  });

  it('follows to its spare way, and goes on with it when its own is lost', () => {
    const { set, arrive, lose, state } = scene('home', 'standby');
    set({ ways, spares: [standby] });
    arrive('standby', OTHER, now() + 2 * SECOND);
    assert.deepEqual([state()?.ways, state()?.spares], [[standby], ways]);
    lose('home');
    assert.deepEqual([state()?.ways, state()?.spares], [[standby], []]);
  });

  it('stays where it is while its peer sends by two ways, and where the agent has just put it', () => {
    const { set, arrive, reported, state } = scene('home', 'standby');
    set({ ways, places: [OTHER] });
    const start = now();
    for (let ms = 0; ms < 900; ms += 10) arrive('standby', OTHER, start + ms);
    for (let ms = 900; ms < 3000; ms += 10) for (const [via, from] of BOTH) arrive(via, from, start + ms);
    assert.deepEqual([state()?.ways, reported()], [ways, ['woken a peer']]);
  });

  it('follows no stranger, nor to where it was sent to before, nor through an allocation that is given back', () => {
    const { links, set, arrive, reported, state } = scene('home', 'standby');
    set({ ways: [standby] });
    set({ ways }); // what comes from the other place is still its own
    const later = now() + 2 * SECOND;
    arrive('standby', OTHER, later);
    arrive('standby', STRANGE, later);
    assert.deepEqual(reported(), ['woken a peer', 'guest 127.127.0.0 standby 3']);
    const released: Through = { wanted: { allocation: 'standby' }, wayTo: () => assert.fail() };
    set({ places: [OTHER] });
    links.arrived({ allocation: released, data: DATA, from: OTHER, now_ms: later });
    assert.deepEqual(state()?.ways, ways);
  });

  it('does not lose its packets to another peer that names its place: WireGuard hears them from neither', () => {
    const { links, set, arrive, send, left, reported, delivered } = scene('home');
    const own = set({ ways, places: [HOME] });
    const liars = set({ ways: [{ via: 'home', to: OTHER }], places: [OTHER, HOME] }, 'b');
    arrive('home', HOME, now() + 2 * SECOND);
    assert.deepEqual([reported(), delivered()], [['guest 127.127.0.0 home 1'], ['127.127.0.0']]);
    for (const address of ['127.127.0.0', own, liars]) send(address, now());
    assert.deepEqual(left(), ['home 1', 'home 1', 'home 2']);
    links.change({ set: [], remove: ['b'] });
    arrive('home', HOME, now() + 3 * SECOND);
    assert.deepEqual(delivered(), [own]);
    links.close();
  });

  it('follows not when it has two', () => {
    const { set, arrive, state } = scene('home', 'standby', 'third');
    const two = [...ways, { via: 'third', to: STRANGE }];
    set({ ways: two, places: [OTHER] });
    arrive('standby', OTHER, now() + 2 * SECOND);
    assert.deepEqual(state()?.ways, two);
  });

  const BOTH = [
    ['standby', OTHER],
    ['home', HOME],
  ] as const;
});
