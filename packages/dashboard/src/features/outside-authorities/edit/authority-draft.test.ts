import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KNOWN_AUTHORITIES, OPERATIONS } from '@meshwork/contract';
import {
  addressProblem,
  changesOf,
  directoriesOf,
  draftOf,
  isComplete,
  knownBy,
  newAuthorityOf,
  newDraft,
} from './authority-draft.ts';

const example = OPERATIONS['outside_authorities.show'].example.answer;
const scope = { team: '*', surface: '*', environment: '*' };

describe('a draft of an outside authority', () => {
  it('is complete with a name, an address and the agreement', () => {
    const draft = { ...newDraft(scope), name: 'le', agree_terms: true };
    assert.equal(isComplete(draft, true), true);
    assert.equal(isComplete({ ...draft, agree_terms: false }, true), false);
    assert.equal(isComplete({ ...draft, agree_terms: false }, false), true, 'it was given before');
    assert.equal(isComplete({ ...draft, directory: 'http://ca.example.net' }, true), false);
    assert.match(addressProblem('http://ca.example.net') ?? '', /https/);
  });

  it('has both directories of one that people know by its name', () => {
    const { directory, staging_directory } = KNOWN_AUTHORITIES.letsencrypt;
    const body = newAuthorityOf({ ...newDraft(scope), name: 'le', agree_terms: true });
    assert.deepEqual([body.directory, body.staging_directory], [directory, staging_directory]);
    assert.deepEqual([knownBy(directory), knownBy('https://ca.example.net/')], ['letsencrypt', 'other']);
    assert.equal(directoriesOf('zerossl').staging_directory, '');
  });

  it('sends only what differs, and a key only when one is typed', () => {
    const before = draftOf(example);
    assert.deepEqual(changesOf(before, before), {});
    const change = { ...before, contacts: ['a@example.net'], staging_directory: '', eab_key: ' key-of-the-account ' };
    assert.deepEqual(changesOf(change, before), {
      contacts: ['a@example.net'],
      staging_directory: null,
      eab_key: 'key-of-the-account',
    });
    assert.deepEqual(changesOf({ ...before, agree_terms: true }, before), { agree_terms: true });
  });
});
