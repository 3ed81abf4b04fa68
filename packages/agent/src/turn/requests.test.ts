import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { TurnRequests } from './requests.ts';
import type { TurnTransport } from './transport.ts';

const ALLOCATE = 0x0003;

test('a request that cannot be sent fails once, and not again when its time is over', async () => {
  const transport: TurnTransport = {
    kind: 'udp',
    local: undefined,
    reliable: false,
    send: () => {
      throw new Error('there is no way there');
    },
    sendChannelData: () => undefined,
    listen: () => undefined,
    close: () => undefined,
  };
  const requests = new TurnRequests(transport, { username: 'a', password: 'b' });
  await assert.rejects(requests.ask(ALLOCATE, undefined, 20), /there is no way there/);
  await pause(60); // a rejection that none waits for would end the process
});
