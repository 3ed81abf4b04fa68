import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fromLocalText, localText, momentOf, since } from './time-range.ts';

describe('the time range of the trail', () => {
  it('goes into a field and comes out as the same moment', () => {
    for (const at of ['2026-11-15T09:30:00Z', '2026-03-29T01:30:00Z', '2026-01-01T00:00:00Z']) {
      assert.equal(fromLocalText(localText(at)), at);
    }
  });

  it('is none where the address bar or the field has no moment', () => {
    assert.equal(momentOf('yesterday'), undefined);
    assert.equal(localText('yesterday'), '');
    assert.equal(fromLocalText(''), null);
    assert.equal(fromLocalText('2026-13-45T99:99'), null);
    assert.equal(momentOf('2026-11-15T10:30:00+01:00'), '2026-11-15T09:30:00Z');
  });

  it('is the same question within a minute', () => {
    const at = Date.parse('2026-11-15T09:30:10Z');
    assert.equal(since(3600, at), '2026-11-15T08:30:00Z');
    assert.equal(since(3600, at + 30_000), since(3600, at));
  });
});
