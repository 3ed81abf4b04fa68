import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PathMessage, readPathMessage, writePathMessage } from './path-message.ts';

const MESSAGES: readonly PathMessage[] = [
  { kind: 'call', endpoints: ['192.0.2.7:51820', '[2001:db8::7]:51820'], answer: true },
  { kind: 'call', endpoints: [], next: { address: '192.0.2.7', port: 40_000, step: -2 }, answer: false },
  { kind: 'direct', run: 'a1', epoch: 3, from: '192.0.2.7:51820' },
  { kind: 'relay', run: 'a1', epoch: 4, why: 'it is not in use' },
];

test('what is written is read', () => {
  for (const message of MESSAGES) assert.deepEqual(readPathMessage(writePathMessage(message)), message);
});

test('a message stays short, however much there is to say', () => {
  const endpoints = Array.from({ length: 64 }, (_, index) => `[2001:db8:1111:2222:3333:4444:5555:${index}]:51820`);
  assert.ok(writePathMessage({ kind: 'call', endpoints, answer: true }).length < 1000);
});

test('what a peer may not say is passed over', () => {
  const wrong = [
    '',
    'null',
    '[]',
    '{}',
    '{"kind":"call"}',
    '{"kind":"direct","run":"a","epoch":1,"from":"127.0.0.1:1"}',
  ];
  const more = [
    '{"kind":"relay","run":"a","epoch":0.5,"why":""}',
    '{"kind":"relay","run":1,"epoch":1,"why":""}',
    '{"kind":"x"}',
  ];
  for (const text of [...wrong, ...more]) assert.equal(readPathMessage(text), null, text);
});

test('of the endpoints that a peer names, those that no peer can have are left out', () => {
  const endpoints = ['127.0.0.1:51820', '169.254.169.254:80', '[ff02::1]:1', '192.0.2.7:51820', 7, null];
  const read = readPathMessage(JSON.stringify({ kind: 'call', endpoints, answer: false }));
  assert.deepEqual(read, { kind: 'call', endpoints: ['192.0.2.7:51820'], answer: false });
});

test('a reason that a peer gives is short and plain: it stands in our own reports, and on screens', () => {
  const why = `\u0000\u001b[2J\ud800${'x'.repeat(900)}`;
  const read = readPathMessage(JSON.stringify({ kind: 'relay', run: 'a', epoch: 1, why }));
  assert.deepEqual(read, { kind: 'relay', run: 'a', epoch: 1, why: `??[2J?${'x'.repeat(194)}` });
});

test('a guess that a peer may not make is left out of its call', () => {
  const wrong = [
    { address: '127.0.0.1', port: 1, step: 1 },
    { address: '192.0.2.7', port: 0, step: 1 },
    { address: '192.0.2.7', port: 40_000, step: 0 },
    { address: '192.0.2.7', port: 40_000, step: 1000 },
    { address: '2001:db8::7', port: 40_000, step: 1 },
    { address: '192.0.2.7', port: '40000 ', step: 1 },
    'next',
    null,
  ];
  for (const next of wrong) {
    const call = { kind: 'call', endpoints: [], next, answer: true };
    assert.deepEqual(readPathMessage(JSON.stringify(call)), { kind: 'call', endpoints: [], answer: true });
  }
});
