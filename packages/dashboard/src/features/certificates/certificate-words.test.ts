import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileNameOf, nameOf, nodeNamesIn, reasonWords, shortNameOf } from './certificate-words.ts';

const none = { dns: [], addresses: [], uris: [] };
const named = (names: Partial<typeof none | Record<keyof typeof none, string[]>>) => ({
  names: { ...none, ...names },
  serial: '3a9d',
});

describe('what a certificate is called', () => {
  it('is its first name, and its serial number where it has none', () => {
    const uris = ['spiffe://x.mesh/node/git-1/ci'];
    assert.equal(nameOf(named({ dns: ['git-1.mesh', 'www.git-1.mesh'], uris })), 'git-1.mesh');
    assert.equal(nameOf(named({ uris, addresses: ['100.64.0.7'] })), 'spiffe://x.mesh/node/git-1/ci');
    assert.equal(shortNameOf(named({ uris })), 'git-1/ci');
    assert.equal(nameOf(named({ addresses: ['100.64.0.7'] })), '100.64.0.7');
    assert.equal(nameOf(named({})), '3a9d');
  });

  it('is the name of its file too', () => {
    assert.equal(fileNameOf(named({ dns: ['git-1.mesh'] })), 'git-1.mesh.pem');
    assert.equal(fileNameOf(named({ uris: ['spiffe://x.mesh/node/git-1/ci'] })), '3a9d.pem');
  });

  it('says which nodes it names', () => {
    assert.deepEqual(nodeNamesIn(named({ dns: ['git-1.mesh', 'www.git-1.mesh', 'db-1.mesh'] })), ['git-1', 'db-1']);
    assert.deepEqual(nodeNamesIn(named({ uris: ['spiffe://x.mesh/node/git-1/ci'] })), ['git-1']);
    assert.deepEqual(nodeNamesIn(named({ dns: ['example.org', 'mesh'] })), []);
  });
});

describe('the reason of a revocation', () => {
  it('is said only where there is one', () => {
    assert.equal(reasonWords('key_compromise'), 'Key compromise');
    assert.equal(reasonWords('unspecified'), null);
    assert.equal(reasonWords(null), null);
  });
});
