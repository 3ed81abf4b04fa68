import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { changesOf, isComplete, NEW_RELAY, newRelay, ofKind } from './relay-form.ts';

const onNode = { ...NEW_RELAY, name: 'fra-1', node: 'gw-1', host: 'fra-1.example.net' };
const external = ofKind({ ...onNode, secret: 'sixteen letters.' }, 'external');

describe('a new relay', () => {
  test('names the node that runs it, or the secret of a server that is there', () => {
    const { node, secret } = newRelay(onNode);
    assert.deepEqual([node, secret], ['gw-1', undefined]);
    const { node: none, secret: given, tls_port, certificate } = newRelay(external);
    assert.deepEqual([none, given, tls_port, certificate], [undefined, 'sixteen letters.', null, 'public']);
  });

  test('has a site or none, and a port for TLS or none', () => {
    assert.deepEqual([newRelay(onNode).site, newRelay(onNode).tls_port], [null, 443]);
    assert.equal(newRelay({ ...onNode, site: 'fra' }).site, 'fra');
  });

  test('is complete with a host, and with a node or a secret', () => {
    assert.equal(isComplete(onNode, true), true);
    assert.equal(isComplete({ ...onNode, node: '' }, true), false);
    assert.equal(isComplete({ ...external, secret: '' }, true), false);
    assert.equal(isComplete({ ...onNode, capacity: '' }, true), false);
  });
});

describe('a changed relay', () => {
  test('sends only what is other than before', () => {
    assert.deepEqual(changesOf(onNode, onNode), {});
    assert.deepEqual(changesOf({ ...onNode, site: 'fra', capacity: 50 }, onNode), { site: 'fra', capacity: 50 });
    assert.deepEqual(changesOf({ ...onNode, tls_port: '', node: 'gw-2' }, onNode), { tls_port: null, node: 'gw-2' });
  });

  test('keeps its secret unless another is given', () => {
    const before = { ...external, secret: '' };
    assert.deepEqual(changesOf(before, before), {});
    assert.deepEqual(changesOf(external, before), { secret: 'sixteen letters.' });
    assert.equal(isComplete(before, false), true);
  });
});
