import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { type NodeId, newId, SESSION_S } from '@meshwork/contract';
import { Model } from '../mesh/model.ts';
import { NodeSessions } from './node-session.ts';

/** What is looked at of a node. */
const body = (name: string, session_epoch = 1) => JSON.stringify({ name, session_epoch, removed_at: null });

describe('two nodes whose ids end alike', () => {
  const one = newId('node', 1);
  const other = `${newId('node', 2).slice(0, -6)}${one.slice(-6)}` as NodeId;
  const keys = [{ key: createSecretKey(randomBytes(32)), replaced_ms: null }];
  const sessions = new NodeSessions(() => keys);
  const modelOf = (epoch: number) => {
    const model = new Model();
    model.fill([
      { kind: 'node', id: one, revision: 1, body: body('one', epoch) },
      { kind: 'node', id: other, revision: 1, body: body('other') },
    ]);
    return model;
  };
  const who = (bearer: string, epoch = 1) => sessions.authenticate(modelOf(epoch), `Bearer ${bearer}`, 0).name;
  const [bearer, others] = [sessions.open(one, 1, 0).bearer, sessions.open(other, 1, 0).bearer];

  it('are distinguished in whichever order they come', () => {
    assert.deepEqual(
      [bearer, others, bearer, bearer, others].map((text) => who(text)),
      ['one', 'other', 'one', 'one', 'other'],
    );
  });

  it('are not matched by characters whose last byte is the same', () => {
    who(bearer); // the next one is compared with it
    const alike = bearer.slice(0, -1) + String.fromCharCode(bearer.charCodeAt(bearer.length - 1) + 0x100);
    assert.throws(() => who(alike), { code: 'credentials_invalid' });
  });

  it('cannot speak for each other', () => {
    const mac = (text: string) => text.slice(text.lastIndexOf('.'));
    const forged = bearer.replace(mac(bearer), mac(others));
    for (const known of [bearer, others]) {
      who(known);
      assert.throws(() => who(forged), { code: 'credentials_invalid' });
    }
  });

  it('lose their sessions one by one', () => {
    assert.throws(() => who(bearer, 2), { code: 'session_void' });
    assert.equal(who(others, 2), 'other');
    assert.equal(who(sessions.open(one, 2, 0).bearer, 2), 'one');
  });
});

describe('a session after its key was replaced', () => {
  const node = newId('node', 1);
  const model = new Model();
  model.fill([{ kind: 'node', id: node, revision: 1, body: body('one') }]);
  const [older, newer] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
  const REPLACED_MS = 1_000_000;
  const after = [
    { key: newer, replaced_ms: null },
    { key: older, replaced_ms: REPLACED_MS },
  ];
  const before = new NodeSessions(() => [{ key: older, replaced_ms: null }]);
  const sessions = () => new NodeSessions(() => after);

  it('is good until its own end, and new ones are signed with the new key', () => {
    const { bearer } = before.open(node, 1, REPLACED_MS - 1000);
    assert.equal(sessions().authenticate(model, `Bearer ${bearer}`, REPLACED_MS + 1000).name, 'one');
    const opened = sessions().open(node, 1, REPLACED_MS);
    assert.throws(() => before.authenticate(model, `Bearer ${opened.bearer}`, REPLACED_MS));
  });

  it('cannot be made with the old key once those of its time have ended', () => {
    const late = REPLACED_MS + SESSION_S * 1000;
    const { bearer } = before.open(node, 1, late - 1000);
    assert.throws(() => sessions().authenticate(model, `Bearer ${bearer}`, late), { code: 'credentials_invalid' });
  });
});
