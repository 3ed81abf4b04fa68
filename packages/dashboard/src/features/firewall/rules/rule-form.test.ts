import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FirewallRule } from '@meshwork/contract';
import { asNew, formOf, NEW_RULE, patchOf, ruleOf } from './rule-form.ts';

const rule: FirewallRule = {
  id: 'firewall_01jcqv8h3kf1x9r7w5t2m6d0za',
  position: 0,
  note: 'logins',
  nodes: ['tag:role:git'],
  direction: 'in',
  interface: 'any',
  from: ['198.51.100.0/24'],
  protocol: 'tcp',
  ports: ['22'],
  action: 'accept',
  rate: { count: 10, per: 'minute' },
  enabled: true,
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'system', id: null, name: 'coordinator' },
  revision: 7,
};

describe('the form of a host rule', () => {
  it('gives back the rule that it was filled in with', () => {
    const { id: _, position: __, created_at: ___, created_by: ____, revision: _____, ...meaning } = rule;
    assert.deepEqual(ruleOf(formOf(rule)), meaning);
    assert.deepEqual(asNew(rule), meaning);
  });

  it('leaves out what has no meaning with the rest', () => {
    const icmp = ruleOf({ ...formOf(rule), protocol: 'icmp', action: 'drop' });
    assert.equal('ports' in icmp, false);
    assert.equal('rate' in icmp, false);
  });

  it('takes away from a rule what was cleared', () => {
    const { from, ports, rate, note } = patchOf({ ...formOf(rule), from: [], ports: [], note: ' ', action: 'drop' });
    assert.deepEqual([from, ports, rate, note], [null, null, null, null]);
  });

  it('starts without nodes, so that a rule is never applied to every node by mistake', () => {
    assert.deepEqual(ruleOf(NEW_RULE).nodes, []);
  });
});
