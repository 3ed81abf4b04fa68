import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WafRule } from '@meshwork/contract';
import { ruleText, wafRule } from './waf-rule.ts';

test('a rule is read as it is shown', () => {
  for (const line of [
    'no-xmlrpc: block if path equals /xmlrpc.php,/wp-login.php',
    'scripts: score 3 if header:User-Agent matches ^curl/ and address not in_networks 10.0.0.0/8,fd00::/8',
    'health checks: allow if path equals /healthz and method equals GET',
    'no token: block if argument:token is_there',
  ]) {
    assert.equal(ruleText(wafRule(line)), line);
  }
});

test('a rule has the points of its action, and each condition its part, name, test and values', () => {
  const rule: WafRule = {
    name: 'scripts',
    action: 'score',
    score: 3,
    when: [
      {
        ...{ part: 'header', name: 'User-Agent', test: 'begins_with', values: ['curl/', 'wget/'] },
        ...{ negated: true, transforms: [] },
      },
    ],
  };
  assert.deepEqual(wafRule('scripts: score 3 if header:User-Agent not begins_with curl/,wget/'), rule);
  assert.deepEqual(wafRule(JSON.stringify(rule)), rule);
});

test('what is no rule is refused with an example', () => {
  for (const line of [
    '',
    'a: block',
    'a: deny if path equals /',
    'a: block if path',
    'a: block if path equals',
    'a: block if path is_there /',
    'a: block if somewhere equals /',
    'a: block if path looks_like /',
    'a: block if path:x equals /',
    'a: block if path equals /a b',
  ]) {
    assert.throws(() => wafRule(line), /no-xmlrpc: block if path equals/, line);
  }
  assert.throws(() => wafRule('{'), /not valid JSON/);
});
