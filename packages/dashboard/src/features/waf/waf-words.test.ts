import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type WafExclusionRules, type WafRule } from '@meshwork/contract';
import { replayWords } from './exclusions/replay-words.ts';
import { policyLines } from './policy-lines.ts';
import {
  exclusionWords,
  inForceWords,
  isOutdated,
  isSameExclusion,
  leftOutWords,
  matchedRules,
  ruleWords,
} from './waf-words.ts';

const exclusion: WafExclusionRules = {
  ...{ rule: 942_100, tag: null, host: 'git.example.net', path: '/search', below: false },
  parameter: { part: 'argument', name: 'q' },
};
const policy = OPERATIONS['waf.show'].example.answer;
const event = OPERATIONS['waf.event'].example.answer;

test('an exclusion is a sentence', () => {
  const at = 'in requests to git.example.net/search';
  assert.equal(exclusionWords(exclusion), `Rule 942100 does not look at argument q ${at}.`);
  const tag = { ...exclusion, rule: null, tag: 'attack-sqli', below: true, parameter: null };
  assert.equal(
    exclusionWords(tag),
    'Rules with the tag attack-sqli do not run on requests to git.example.net/search and below.',
  );
  const every = { ...exclusion, parameter: { part: 'cookie', name: null } as const };
  assert.equal(exclusionWords(every), `Rule 942100 does not look at every cookie ${at}.`);
});

test('two exclusions are the same whatever the order of their members', () => {
  const { parameter, ...rest } = exclusion;
  assert.equal(isSameExclusion(exclusion, { parameter: { name: 'q', part: 'argument' }, ...rest }), true);
  assert.equal(isSameExclusion(exclusion, { ...exclusion, below: true }), false);
  assert.equal(isSameExclusion({ ...rest, parameter: null }, { ...rest, parameter }), false);
});

test('a rule of the operator is a sentence', () => {
  const rule: WafRule = {
    ...{ name: 'scripts', action: 'score', score: 3 },
    when: [
      {
        ...{ part: 'header', name: 'User-Agent', test: 'begins_with', values: ['curl/', 'wget/'] },
        ...{ negated: false, transforms: ['lowercase', 'url_decode'] },
      },
      {
        ...{ part: 'address', name: null, test: 'in_networks', values: ['10.0.0.0/8'] },
        ...{ negated: true, transforms: [] },
      },
    ],
  };
  assert.equal(
    ruleWords(rule),
    'Add 3 points if header User-Agent (lowercase, url decode) begins with curl/ or wget/ and client address is not in 10.0.0.0/8.',
  );
});

test('rules that matched are named once, and no more than three', () => {
  const [match] = event.matches;
  assert.ok(match !== undefined);
  const of = (rules: readonly number[], matches_left_out = 0) =>
    matchedRules({ matches: rules.map((rule) => ({ ...match, rule })), matches_left_out });
  assert.equal(of([942_100, 942_100]), '942100');
  assert.equal(of([911_100, 2, 3, 920_100, 941_100, 949_000], 2), '911100, the policy itself, 920100 and 4 more');
  assert.equal(of([]), 'None');
});

test('a rule set before version 4 is outdated, and what is no version is not judged', () => {
  assert.deepEqual(['3.3.4', '4.25.0', '10.0.0', 'ours', null].map(isOutdated), [true, false, false, false, false]);
});

test('what is not recorded one by one is said', () => {
  assert.equal(leftOutWords({ blocked: 0, detected: 0, scored: 0 }), null);
  assert.match(leftOutWords({ blocked: 1000, detected: 0, scored: 1 }) ?? '', /^1,001 requests of these/);
});

test('a replay says how many requests would have passed, and that nothing is known without events', () => {
  const replay = OPERATIONS['waf.replay'].example.answer;
  assert.equal(replayWords(replay), 'Of 1 recorded event, it concerns 1, and would have let 1 request through.');
  assert.match(replayWords({ ...replay, let_through: 0, whole: false }), /\(the newest; .*no further request through/);
  assert.match(replayWords({ ...replay, events: 0 }), /^No events/);
});

test('a policy says what it does, and leaves out what says nothing', () => {
  const labels = (one: typeof policy) => policyLines(one).map(({ label }) => label);
  const always = ['Paranoia', 'Threshold', 'Answers', 'Methods', 'Largest body'];
  assert.deepEqual(labels(policy), [...always, 'Arguments', 'Longest argument']);
  const requests = { ...policy.requests, arguments_most: null, argument_bytes: null };
  assert.deepEqual(labels({ ...policy, requests }), always);
  const clients = { ...policy.clients, denied_countries: ['KP'] };
  assert.deepEqual(policyLines({ ...policy, clients, paranoia: { block: 1, detect: 3 } }).at(-1)?.text, 'North Korea');
  assert.equal(inForceWords(policy), '1 of 1 gateway');
});
