import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildGrant, EMPTY_FORM } from './new-grant.ts';
import { readSuggestion } from './suggestion.ts';

const known = new Map([
  ['developers', ['tag:role:dev']],
  ['git', ['tag:role:git', 'node:git-9']],
]);

describe('a grant from a form', () => {
  it('names groups that are there', () => {
    const form = { ...EMPTY_FORM, from: 'developers', to: ' git ', allow: ['tcp:22', ' icmp '] };
    assert.deepEqual(buildGrant(form, known), {
      ok: true,
      grant: { from: 'developers', to: 'git', allow: ['tcp:22', 'icmp'] },
      groups: {},
    });
  });

  it('uses a group that means the same, and makes one where there is none', () => {
    const form = { ...EMPTY_FORM, from: 'tag:role:dev', to: 'tag:role:git', allow: ['*'] };
    assert.deepEqual(buildGrant(form, known), {
      ok: true,
      grant: { from: 'developers', to: 'role-git', allow: ['*'] },
      groups: { 'role-git': ['tag:role:git'] },
    });
    const self = buildGrant({ ...form, from: 'node:git', to: 'node:git' }, known);
    assert.deepEqual(self.ok && self.groups, { 'git-2': ['node:git'] });
  });

  it('may go to a network, within a boundary, for a while and for a reason', () => {
    const form = {
      from: 'developers',
      to: '10.20.0.0/16',
      allow: ['tcp:8000-8999'],
      within_boundary: true,
      expires: '2027-01-31T00:00:00Z',
      note: 'for the "audit"',
    };
    const built = buildGrant(form, known);
    assert.deepEqual(built.ok && built.grant, {
      from: 'developers',
      to: '10.20.0.0/16',
      allow: ['tcp:8000-8999'],
      within: 'boundary',
      expires: '2027-01-31T00:00:00Z',
      note: 'for the "audit"',
    });
  });

  it('is refused field by field', () => {
    const built = buildGrant({ ...EMPTY_FORM, from: 'devs', to: '10.0.0.0', allow: ['ssh'], expires: 'soon' }, known);
    assert.deepEqual(!built.ok && Object.keys(built.errors).sort(), ['allow', 'expires', 'from', 'to']);
  });
});

describe('a suggestion of a link', () => {
  it('fills in the form', () => {
    const text = JSON.stringify({
      grant: { from: 'laptop', to: 'git', allow: ['tcp:22'] },
      groups: { laptop: ['node:laptop'], git: ['node:evil'] },
    });
    assert.deepEqual(readSuggestion(text, known), { ...EMPTY_FORM, from: 'node:laptop', to: 'git', allow: ['tcp:22'] });
  });

  it('keeps to the boundary where it says so', () => {
    const text = JSON.stringify({ grant: { from: 'a', to: 'git', allow: ['tcp:22'], within: 'boundary' } });
    assert.equal(readSuggestion(text, known)?.within_boundary, true);
  });

  it('counts for nothing when it is none', () => {
    for (const text of ['', '1', '{}', '{"grant": []}', '{"grant": {"from": "a", "to": "b", "allow": "tcp:22"}}']) {
      assert.equal(readSuggestion(text, known), null, text);
    }
  });
});
