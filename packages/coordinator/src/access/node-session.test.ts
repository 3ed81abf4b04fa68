import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { type NodeId, newId } from '@meshwork/contract';
import { Model } from '../mesh/model.ts';
import { NodeSessions } from './node-session.ts';

/** What is looked at of a node. */
const body = (name: string, session_epoch = 1) => JSON.stringify({ name, session_epoch, removed_at: null });

describe('two nodes whose ids end alike', () => {
  const one = newId('node', 1);
  const other = `${newId('node', 2).slice(0, -6)}${one.slice(-6)}` as NodeId;
  const sessions = new NodeSessions(createSecretKey(randomBytes(32)));
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
