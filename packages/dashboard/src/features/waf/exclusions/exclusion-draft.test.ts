import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftProblems, exclusionOf, NEW_EXCLUSION } from './exclusion-draft.ts';

describe('an exclusion by hand', () => {
  const whole = { ...NEW_EXCLUSION, which: ' 942100 ', host: ' Shop.example.net', path: '/search ', name: 'q' };

  it('needs a rule or a tag, a host name and a path', () => {
    assert.deepEqual(Object.keys(draftProblems(NEW_EXCLUSION)), ['which', 'host', 'path']);
    assert.deepEqual(Object.keys(draftProblems({ ...whole, by: 'tag', which: ' ' })), ['which']);
    assert.deepEqual(Object.keys(draftProblems({ ...whole, path: 'search' })), ['path']);
    assert.deepEqual(draftProblems(whole), {});
  });

  it('has one of rule and tag, and a name only where the part has one', () => {
    const place = { host: 'shop.example.net', path: '/search', below: false };
    const named = { part: 'argument', name: 'q' };
    assert.deepEqual(exclusionOf(whole), { rule: 942_100, tag: null, ...place, parameter: named });
    const tagged = exclusionOf({ ...whole, by: 'tag', which: 'attack-sqli', part: 'body', below: true });
    const parameter = { part: 'body', name: null };
    assert.deepEqual(tagged, { rule: null, tag: 'attack-sqli', ...place, below: true, parameter });
    assert.equal(exclusionOf({ ...whole, part: '' }).parameter, null);
    assert.deepEqual(exclusionOf({ ...whole, name: ' ' }).parameter, { part: 'argument', name: null });
  });
});
