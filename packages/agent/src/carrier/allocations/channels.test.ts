import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Place } from '../../stun/xor-address.ts';
import { TurnError } from '../../turn/turn-error.ts';
import { Channels } from './channels.ts';

const MINUTE = 60_000;

/** Channels of a relay that binds them, or refuses with that code, and the numbers it was asked for. */
function channelsOf(refusal?: number) {
  const bound: number[] = [];
  const bind = async (channel: number) => {
    bound.push(channel);
    if (refusal !== undefined) throw new TurnError(refusal);
  };
  return { channels: new Channels({ bind }), bound };
}

const to: Place = { address: '203.0.113.9', port: 50_000 };
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the channels of an allocation', () => {
  it('are open a round trip after their first use', async () => {
    const { channels, bound } = channelsOf();
    const channel = channels.use(to, 'a', 0);
    assert.equal(channel?.isOpen, false);
    await settled();
    assert.equal(channel?.isOpen, true);
    assert.equal(channels.use(to, 'a', 1), channel);
    assert.equal(channels.numbered(0x4000), channel);
    assert.deepEqual(bound, [0x4000]);
  });

  it('are bound again before their ten minutes are over, while they are used', async () => {
    const { channels, bound } = channelsOf();
    const channel = channels.use(to, 'a', 0);
    await settled();
    for (let minute = 1; minute <= 30; minute++) {
      if (channel !== undefined) channel.used_ms = minute * MINUTE;
      channels.look(minute * MINUTE);
      await settled();
      assert.equal(channel?.isOpen, true, `after ${minute} minutes`);
    }
    assert.deepEqual(bound, [0x4000, 0x4000, 0x4000, 0x4000]);
  });

  it('are closed when they are idle, and their number is given again only after five minutes more', async () => {
    const { channels } = channelsOf();
    const channel = channels.use(to, 'a', 0);
    await settled();
    channels.look(9 * MINUTE);
    assert.equal(channel?.isOpen, true);
    channels.look(10 * MINUTE);
    assert.equal(channel?.isOpen, false);
    assert.equal(channels.use(to, 'b', 10 * MINUTE)?.number, 0x4001);
    channels.look(16 * MINUTE);
    assert.equal(channels.use(to, 'c', 16 * MINUTE)?.number, 0x4000);
  });

  it('are not asked for again at once when the relay refuses', async () => {
    const { channels, bound } = channelsOf(403);
    for (const now_ms of [0, 10, 20_000, 31_000]) {
      assert.equal(channels.use(to, 'a', now_ms)?.isOpen, false);
      await settled();
    }
    assert.equal(bound.length, 2);
  });

  it('are no more than 512', () => {
    const { channels } = channelsOf();
    const given = Array.from({ length: 600 }, (_, index) => channels.use(to, String(index), 0));
    assert.equal(given.filter((channel) => channel !== undefined).length, 512);
    assert.equal(channels.count, 512);
  });
});
