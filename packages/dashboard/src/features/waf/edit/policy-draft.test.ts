import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEFAULT_WAF_RULES, OPERATIONS, type WafPolicy, type WafRule } from '@meshwork/contract';
import { bodyOf, changesOf, draftOf, isComplete, newPolicy, newPolicyOf, settled, withRule } from './policy-draft.ts';
import { draftOfText, readText, textOf } from './policy-text.ts';

const scope = { team: '*', surface: '*', environment: '*' };
const rule: WafRule = {
  ...{ name: 'no-xmlrpc', action: 'block', score: 0 },
  when: [{ part: 'path', name: null, test: 'equals', values: ['/xmlrpc.php'], negated: false, transforms: [] }],
};
const policy: WafPolicy = {
  ...OPERATIONS['waf.show'].example.answer,
  note: 'of the shop',
  paranoia: { block: 2, detect: 3 },
  requests: {
    ...DEFAULT_WAF_RULES.requests,
    ...{ body_bytes: 1_048_577, arguments_most: 255, argument_bytes: 400, file_bytes: 1_048_576 },
  },
  clients: { ...DEFAULT_WAF_RULES.clients, trusted: ['10.0.0.0/8'] },
  rules: [rule],
};
const before = bodyOf(draftOf(policy));

describe('a draft of a policy', () => {
  test('holds all that a person decides, and gives it back as it was', () => {
    const {
      id: _,
      exclusions: __,
      used_by: ___,
      gateways: ____,
      created_at: _____,
      created_by,
      revision,
      ...rest
    } = policy;
    assert.ok(created_by !== undefined && revision > 0);
    assert.deepEqual(before, rest);
  });

  test('is complete with a name, and when nothing in it is half typed', () => {
    const draft = { ...newPolicy(scope), name: 'public' };
    assert.equal(isComplete(newPolicy(scope)), false);
    assert.equal(isComplete(draft), true);
    assert.equal(isComplete({ ...draft, requests: { ...draft.requests, body: 'much' } }), false);
    assert.equal(isComplete({ ...draft, requests: { ...draft.requests, body: '' } }), false);
    assert.equal(isComplete({ ...draft, requests: { ...draft.requests, methods: [] } }), false);
    assert.equal(isComplete({ ...draft, sampling_percent: Number.NaN }), false);
    assert.equal(isComplete(withRule(draft)), false, 'the new rule has no name and no value yet');
    assert.equal(isComplete({ ...draft, rules: [{ key: 0, rule }] }), true);
  });

  test('a new one says only what is other than the defaults', () => {
    const draft = { ...newPolicy(scope), name: 'public', mode: 'block' as const };
    const paranoia = { block: 1, detect: 2 };
    assert.deepEqual(newPolicyOf(bodyOf(draft)), { name: 'public', scope, mode: 'block' });
    assert.deepEqual(newPolicyOf(bodyOf({ ...draft, paranoia })).paranoia, { detect: 2 });
  });

  test('a change says only what is other than before, and lists are whole', () => {
    const draft = draftOf(policy);
    assert.deepEqual(changesOf(bodyOf(draft), before), {});
    assert.deepEqual(changesOf(bodyOf({ ...draft, note: ' ', mode: 'block' }), before), { note: null, mode: 'block' });
    const requests = { ...draft.requests, argument: '', arguments_most: Number.NaN };
    assert.deepEqual(changesOf(bodyOf({ ...draft, requests }), before), {
      requests: { arguments_most: null, argument_bytes: null },
    });
    assert.deepEqual(changesOf(bodyOf({ ...draft, rules: [] }), before), { rules: [] });
  });

  test('a condition forgets what its new part or test cannot have', () => {
    const whole: WafRule['when'][number] = {
      ...{ part: 'argument', name: 'q', test: 'contains', values: ['x'], negated: false, transforms: [] },
    };
    assert.deepEqual(settled({ ...whole, part: 'body' }), { ...whole, part: 'body', name: null });
    assert.deepEqual(settled({ ...whole, test: 'is_there' }), { ...whole, test: 'is_there', values: [] });
  });
});

describe('a policy as text', () => {
  test('is what the API takes, and reads back as it was', () => {
    const text = textOf(draftOf(policy), false);
    assert.equal('scope' in JSON.parse(text), false);
    assert.deepEqual(readText(text, before), { body: before });
    assert.deepEqual(draftOfText(before), draftOf(policy));
  });

  test('leaves as it was what it does not name, also in a group', () => {
    const read = readText('{"mode":"off","paranoia":{"detect":4}}', before);
    assert.ok('body' in read);
    assert.deepEqual(changesOf(read.body, before), { mode: 'off', paranoia: { detect: 4 } });
  });

  test('that the form cannot show stays text', () => {
    assert.match('problem' in readText('{', before) ? 'refused' : '', /refused/);
    assert.match('problem' in readText('[]', before) ? 'refused' : '', /refused/);
    const read = readText('{"rules":"none"}', before);
    assert.ok('body' in read);
    assert.equal(draftOfText(read.body), null);
    const odd = readText('{"requests":{"colour":"red"}}', before);
    assert.ok('body' in odd);
    assert.equal(draftOfText(odd.body), null);
  });
});
