import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '@meshwork/contract';
import { countOf, isWhole, NOTHING, patchOf, withSurface, withValue } from './draft.ts';

const settings = DEFAULT_SETTINGS;

describe('settings that were changed and not saved', () => {
  it('are sent by themselves, and nothing beside them', () => {
    let draft = withValue(NOTHING, settings, 'nodes.stale_after_s', 60);
    draft = withValue(draft, settings, 'nodes.require_approval', true);
    draft = withValue(draft, settings, 'audit.retention_days', 30);
    draft = withSurface(draft, settings, 'git', null);
    draft = withSurface(draft, settings, 'shop', 'viewer');
    assert.deepEqual(patchOf(draft), {
      nodes: { stale_after_s: 60, require_approval: true },
      audit: { retention_days: 30 },
      tokens: { surface_roles: { git: null, shop: 'viewer' } },
    });
    assert.equal(countOf(draft), 5);
  });

  it('are none once they are what they were', () => {
    const changed = withValue(NOTHING, settings, 'nodes.stale_after_s', 60);
    assert.equal(countOf(withValue(changed, settings, 'nodes.stale_after_s', 45)), 0);
    const other = withSurface(NOTHING, settings, 'git', 'viewer');
    assert.equal(countOf(withSurface(other, settings, 'git', 'pipeline')), 0);
    const added = withSurface(NOTHING, settings, 'shop', 'viewer');
    assert.equal(countOf(withSurface(added, settings, 'shop', null)), 0);
  });

  it('are compared by what is in a list', () => {
    const changed = withValue(NOTHING, settings, 'ca.domains', ['corp.example.org']);
    assert.deepEqual(patchOf(changed), { ca: { domains: ['corp.example.org'] } });
    assert.equal(countOf(withValue(changed, settings, 'ca.domains', [])), 0);
  });

  it('keep their original value when another person changes them meanwhile', () => {
    const draft = withValue(NOTHING, settings, 'nodes.stale_after_s', 60);
    const meanwhile = { ...settings, nodes: { ...settings.nodes, stale_after_s: 90 } };
    const further = withValue(draft, meanwhile, 'nodes.stale_after_s', 61);
    assert.deepEqual(further.values.get('nodes.stale_after_s'), { after: 61, before: 45 });
  });

  it('are not sent while a field is empty', () => {
    assert.equal(isWhole(withValue(NOTHING, settings, 'nodes.stale_after_s', '')), false);
    assert.equal(isWhole(withValue(NOTHING, settings, 'audit.retention_days', 30)), true);
  });
});
