import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_WAF_RULES, NAMED_WAF_PARTS, WAF_PARTS, WAF_TESTS, type WafPart, WHOLE_MESH } from '@meshwork/contract';
import fc from 'fast-check';
import { assertFaultsAreOf, faultsFrom } from '../../../test/faults.ts';
import type { WafDocument } from '../../kinds/waf.ts';
import { mergedRules } from './merge-policy.ts';
import { faultOfPath, faultsOfExclusion } from './sound-exclusion.ts';
import { ensureSoundPolicy } from './sound-policy.ts';

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const partly = { requiredKeys: [] };

const condition = fc.record({
  part: some(...WAF_PARTS),
  name: some('q', null, null),
  test: some(...WAF_TESTS),
  values: fc.array(some('a', '^a$', '(', '10.0.0.0/8', '10.0.0.1/8'), { maxLength: 2 }),
  negated: fc.boolean(),
  transforms: fc.array(some('lowercase' as const), { maxLength: 1 }),
});
const rule = fc.record({
  name: some('one', 'two'),
  when: fc.array(condition, { minLength: 1, maxLength: 1 }),
  action: some('block' as const, 'allow' as const, 'score' as const),
  score: some(0, 5),
});
const networks = fc.array(some('10.0.0.0/8', '10.0.0.1/8', '2001:db8::/32', 'x'), { maxLength: 2 });
const level = some(1, 2, 4);
const change = fc.record(
  {
    paranoia: fc.record({ block: level, detect: level }, partly),
    requests: fc.record({ body_bytes: some(0, 1000), file_bytes: some(null, 999, 1001) }, partly),
    clients: fc.record({ trusted: networks, denied: networks, denied_countries: some(['DE'], []) }, partly),
    rules: fc.array(rule, { maxLength: 2 }),
  },
  partly,
);
const policy = change.map((said): WafDocument => whole(said));

function whole(said: Parameters<typeof mergedRules>[1]): WafDocument {
  return {
    name: 'public',
    note: null,
    scope: WHOLE_MESH,
    ...mergedRules(DEFAULT_WAF_RULES, said),
    exclusions: [],
    created_at: '2026-11-15T09:00:00Z',
    created_by: { kind: 'system', id: null, name: 'test' },
  };
}

const faultsOf = (subject: WafDocument) => faultsFrom(ensureSoundPolicy, subject);

const NAMED: readonly WafPart[] = NAMED_WAF_PARTS;

describe('a WAF policy', () => {
  it('is sound as it is by default', () => {
    assert.deepEqual(faultsOf(whole({})), []);
  });

  it('that is refused is so for something that it has, and each reason is there once', () => {
    fc.assert(
      fc.property(policy, (subject) => {
        assertFaultsAreOf(subject, faultsOf(subject));
      }),
    );
  });

  it('that is taken has nothing that gateways could not do', () => {
    let taken = 0;
    fc.assert(
      fc.property(policy, (subject) => {
        if (faultsOf(subject).length > 0) return;
        taken++;
        const { paranoia, requests, clients, rules } = subject;
        assert.ok(paranoia.detect >= paranoia.block);
        assert.ok((requests.file_bytes ?? 0) <= requests.body_bytes);
        assert.ok(!clients.denied.some((network) => clients.trusted.includes(network)));
        assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
        for (const { when, action, score } of rules) {
          assert.equal(score > 0, action === 'score');
          for (const { part, name, test, values } of when) {
            assert.ok(name === null || NAMED.includes(part));
            assert.equal(test === 'in_networks', part === 'address');
            assert.equal(values.length === 0, test === 'is_there');
          }
        }
      }),
      { numRuns: 2000 },
    );
    assert.ok(taken > 50, `${taken} were`);
  });

  it('has no more than can be sent and recorded', () => {
    const big = {
      name: 'x',
      when: [
        {
          part: 'uri' as const,
          name: null,
          test: 'contains' as const,
          values: Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(500, 'x')),
          negated: false,
          transforms: [],
        },
      ],
      action: 'block' as const,
      score: 0,
    };
    const rules = Array.from({ length: 9 }, (_, index) => ({ ...big, name: `rule ${index}` }));
    const pointers = faultsOf(whole({ rules })).map(({ pointer }) => pointer);
    assert.deepEqual(pointers, ['/rules']);
    assert.deepEqual(faultsOf(whole({ rules: rules.slice(0, 7) })), []);
  });
});

describe('an exclusion', () => {
  const exclusion = { rule: 942100, tag: null, host: 'a.example', path: '/a', below: false, parameter: null };
  const pointers = (more: object) => faultsOfExclusion('', { ...exclusion, ...more }).map(({ pointer }) => pointer);

  it('is about one rule or one tag, and never about what adds up and judges', () => {
    assert.deepEqual(pointers({}), []);
    assert.deepEqual(pointers({ rule: null, tag: 'attack-sqli' }), []);
    assert.deepEqual(pointers({ rule: null }), ['/rule']);
    assert.deepEqual(pointers({ tag: 'attack-sqli' }), ['/tag']);
    for (const rule of [901_001, 949_110, 959_100, 980_130]) assert.deepEqual(pointers({ rule }), ['/rule'], `${rule}`);
    for (const tag of [
      'attack-generic',
      'ATTACK-GENERIC',
      'attack',
      'OWASP_CRS',
      'OWASP_CRS/WEB',
      'paranoia-level/1',
      'a',
    ]) {
      assert.deepEqual(pointers({ rule: null, tag }), ['/tag'], tag);
    }
  });

  it('names a path in the one spelling in which it is asked for, and a part as it is named', () => {
    for (const path of ['/', '/a/b', '/a%20b', '/a/', '/%C3%A4', '/...'])
      assert.equal(faultOfPath(path), undefined, path);
    for (const path of [
      '//',
      '/a//b',
      '/./a',
      '/a/..',
      '/a%2fb',
      '/a%5Cb',
      '/a%41',
      '/%2e%2e/',
      '/a%',
      '/a%0',
      '/%00',
    ]) {
      assert.deepEqual(pointers({ path }), ['/path'], path);
    }
    assert.deepEqual(pointers({ parameter: { part: 'argument', name: 'q' } }), []);
    assert.deepEqual(pointers({ parameter: { part: 'argument', name: null } }), []);
    assert.deepEqual(pointers({ parameter: { part: 'body', name: 'q' } }), ['/parameter/name']);
  });
});
