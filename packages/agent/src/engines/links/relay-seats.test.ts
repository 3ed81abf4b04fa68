import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RelayAccess } from '@meshwork/contract';
import type { Carrier } from '../../carrier/carrier.ts';
import { RelaySeats } from './relay-seats.ts';

const ACCESS: RelayAccess = {
  relay: { name: 'fra-1', host: '203.0.113.9', port: 3478, any_address: true },
  use: 'home',
  username: 'node',
  password: 'secret',
  expires_at: '2026-11-15T10:30:00Z',
};

/** A carrier that has what it was asked for, and the names of what it has. */
function carrierOf() {
  const held = new Set<string>();
  const ask = async (command: string, { allocation }: { readonly allocation: string }) => {
    if (command === 'release') held.delete(allocation);
    else held.add(allocation);
    return { relayed: { address: '203.0.113.9', port: 50_000 + held.size } };
  };
  return { held, ask: ask as unknown as Carrier['ask'] };
}

function seatsOf(ask: Carrier['ask']) {
  let changed = Promise.withResolvers<void>();
  let now_ms = 0;
  const pauses = new Map<() => void, number>();
  const seats = new RelaySeats({
    carrier: { ask },
    roots: () => [],
    heard: () => [],
    families: () => new Set([4]),
    changed: () => {
      changed.resolve();
      changed = Promise.withResolvers();
    },
    pause: (ms, signal) =>
      new Promise((resolve) => {
        pauses.set(resolve, now_ms + ms);
        signal.addEventListener('abort', () => resolve());
      }),
  });
  /** So much later. */
  const after = async (ms: number) => {
    await settled();
    now_ms += ms;
    for (const [end, due_ms] of pauses) if (due_ms <= now_ms) end();
    await settled();
  };
  const seated = async () => {
    while (seats.all.length === 0) await changed.promise;
    return seats.all[0]?.allocation ?? '';
  };
  return { seats, seated, after };
}

const settled = async () => {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve));
};

describe('the places of a node at relays', () => {
  it('are given back when they are lost, so that the carrier has room for the next', async () => {
    const { held, ask } = carrierOf();
    const { seats, seated, after } = seatsOf(ask);
    seats.want([ACCESS]);
    await after(0);
    for (let times = 0; times < 10; times++) {
      seats.lost(await seated(), 'it does not answer');
      await after(0);
    }
    const last = await seated();
    assert.deepEqual([...held], [last]);
  });

  it('that were had by a stream are had by datagrams as soon as those get there, beside the old ones for a while', async () => {
    const { held, ask } = carrierOf();
    let isBlocked = true;
    const { seats, seated, after } = seatsOf((async (
      command: string,
      wanted: { transport?: string; allocation: string },
    ) => {
      if (command === 'allocate' && wanted.transport === 'udp' && isBlocked) throw new Error('it does not answer');
      return await ask(command as 'allocate', wanted as never);
    }) as unknown as Carrier['ask']);
    seats.want([ACCESS]);
    await after(700);
    const stream = await seated();
    assert.equal(seats.all[0]?.transport, 'tcp');
    await after(24_000); // still blocked
    assert.equal(await seated(), stream);
    isBlocked = false;
    await after(72_000);
    assert.equal(seats.all[0]?.transport, 'udp');
    assert.deepEqual([...held], [stream, await seated()]);
    await after(20_000);
    assert.deepEqual([...held], [await seated()]);
  });

  it('that an agent before this one had are gone on with, except for what was lost meanwhile', async () => {
    const { held, ask } = carrierOf();
    const { seats, seated } = seatsOf(ask);
    const relay = { address: '203.0.113.9', port: 3478 };
    for (const name of ['fra-1/a', 'fra-1/b']) held.add(name);
    seats.adopt([
      { allocation: 'fra-1/a', relay, transport: 'udp', channels: 0, lost: 'it does not answer' },
      {
        allocation: 'fra-1/b',
        relay,
        transport: 'udp',
        channels: 0,
        relayed: { address: relay.address, port: 50_009 },
      },
    ]);
    seats.want([ACCESS]);
    assert.equal(await seated(), 'fra-1/b');
    assert.deepEqual([...held], ['fra-1/b']);
  });
});
