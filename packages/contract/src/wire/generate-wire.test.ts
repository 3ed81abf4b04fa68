import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATION_IDS, OPERATIONS } from '../operations.ts';
import { PANEL_OPERATION_IDS, PANEL_OPERATIONS } from '../panel/panel-operations.ts';
import { wireOperation } from './generate-wire.ts';
import { PANEL_WIRE_OPERATIONS, WIRE_OPERATIONS } from './index.ts';

test('the client knows every operation by what it needs to call it', () => {
  assert.deepEqual(Object.keys(WIRE_OPERATIONS), OPERATION_IDS);
  assert.deepEqual(Object.keys(PANEL_WIRE_OPERATIONS), PANEL_OPERATION_IDS);
  for (const id of OPERATION_IDS) assert.deepEqual(WIRE_OPERATIONS[id], wireOperation(OPERATIONS[id]), id);
  for (const id of PANEL_OPERATION_IDS) {
    assert.deepEqual(PANEL_WIRE_OPERATIONS[id], wireOperation(PANEL_OPERATIONS[id]), id);
  }
});

test('a row says only what is not the rule: a body of JSON, an answer of JSON', () => {
  assert.deepEqual(WIRE_OPERATIONS['tokens.list'], { method: 'GET', path: '/v1/auth/tokens' });
  assert.deepEqual(WIRE_OPERATIONS['roles.delete'], { method: 'DELETE', path: '/v1/auth/roles/{name}', answer: null });
  assert.equal(WIRE_OPERATIONS['events.stream'].answer, 'text/event-stream');
  assert.deepEqual(WIRE_OPERATIONS['audit.list'].also, ['application/x-ndjson']);
  assert.equal(WIRE_OPERATIONS['ca.authority_crl'].answer, 'application/x-pem-file'); // not the bytes
  assert.equal(WIRE_OPERATIONS['acls.replace'].body, 'text');
  assert.equal(WIRE_OPERATIONS['agents.heartbeat'].repeatable, false);
});

test('a body that is sent as text is one that the client can send', () => {
  assert.throws(() => wireOperation({ ...OPERATIONS['acls.replace'], text: ['text/plain'] }), /that no client sends/);
});
