import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FirewallRule, OPERATIONS } from '@meshwork/contract';
import { findingLines } from './finding-text.ts';
import { readRules } from './read-rules.ts';
import { actionText, ruleFields, trafficText } from './rule-text.ts';

const rule: FirewallRule = OPERATIONS['firewall.show'].example.answer;
const source = (text: string) => ({ name: 'rules.json', text });

test('a rule is short in a table and whole by itself', () => {
  assert.equal(trafficText(rule), 'in any tcp 22');
  assert.equal(actionText(rule), 'accept 10/minute');
  const wide = { ...rule, from: ['10.0.0.0/8', 'fd00::/8'], to: ['10.1.0.0/16'], enabled: false };
  assert.equal(trafficText(wide), 'in any tcp 22 from 10.0.0.0/8 +1 to 10.1.0.0/16');
  assert.equal(actionText(wide), '(accept 10/minute)');
  const text = ruleFields(wide);
  assert.match(text, /^position +0 \(disabled: without effect\)$/m);
  assert.match(text, /^from +10\.0\.0\.0\/8, fd00::\/8$/m);
  assert.match(ruleFields(rule), /^from +anywhere$/m);
});

test('what would cut agents off comes first', () => {
  const finding = { kind: 'shadowed' as const, rule: 'rule-1', by: 'rule-0', detail: 'It is never asked.', nodes: 3 };
  const grave = { ...finding, kind: 'may_cut_off' as const, detail: 'It may drop\u001b[2J all.', nodes: 1 };
  assert.deepEqual(findingLines([finding, grave]), [
    'may cut off (1 node): It may drop all.',
    'shadowed (3 nodes): It is never asked.',
  ]);
});

test('a file of rules is a list, alone or named, or what the list of rules printed', () => {
  const { id: _, position: __, created_at: ___, created_by: ____, revision: _____, ...bare } = rule;
  for (const value of [[bare], { rules: [bare] }, { items: [rule], next_cursor: null }, [rule]]) {
    assert.deepEqual(readRules(source(`\ufeff${JSON.stringify(value)}`)), [bare]);
  }
  assert.throws(() => readRules(source('{}')), /rules\.json has no list of rules/);
  assert.throws(() => readRules(source('null')), /rules\.json has no list of rules/);
  assert.throws(() => readRules(source('[')), /rules\.json is not JSON: /);
});
