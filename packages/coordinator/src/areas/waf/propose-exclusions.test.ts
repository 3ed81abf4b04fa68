import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  DEFAULT_WAF_RULES,
  type WafEvent,
  type WafExclusionRules,
  type WafMatch,
  type WafRule,
} from '@meshwork/contract';
import { sqlMatch } from '../../../test/waf-scene.ts';
import { isRefused } from './judge-event.ts';
import { proposeExclusions } from './propose-exclusions.ts';

const policy = { ...DEFAULT_WAF_RULES, exclusions: [] as WafExclusionRules[] };

function event(matches: readonly WafMatch[], more: Partial<WafEvent> = {}): WafEvent {
  const score_in = matches.filter(({ counts }) => counts).reduce((sum, { score }) => sum + score, 0);
  return {
    id: 'wafevent_01jcqvc37ee3xv9k7d0w8m2b4n',
    at: '2026-11-15T09:30:30Z',
    node: 'node_01jcqvc37ee3xv9k7d0w8m2b4n',
    gateway: 'gw-1',
    policy: 'waf_01jcqvc37ee3xv9k7d0w8m2b4n',
    ingress: 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n',
    route: '/',
    method: 'GET',
    host: 'git.example.net',
    path: '/search',
    address: '192.0.2.7',
    request_id: '1',
    status: 403,
    verdict: 'blocked',
    score_in,
    score_out: 0,
    matches: [...matches],
    matches_left_out: 0,
    ...more,
  };
}

function exclusion(more: Partial<WafExclusionRules> = {}): WafExclusionRules {
  return {
    rule: 942100,
    tag: null,
    host: 'git.example.net',
    path: '/search',
    below: false,
    parameter: { part: 'argument', name: 'q' },
    ...more,
  };
}

const rule = (name: string, action: WafRule['action'], score = 0): WafRule => ({ name, when: [], action, score });
const own = (more: Partial<WafMatch> = {}) => sqlMatch({ rule: 100, name: 'mine', score: 0, parameter: null, ...more });

/** What happened, and what is proposed: exclusions, or words of why there are none. */
const CASES: readonly {
  readonly it: string;
  readonly event: WafEvent;
  readonly policy?: Partial<typeof policy>;
  readonly wanted: readonly WafExclusionRules[] | RegExp;
}[] = [
  { it: 'one rule in one argument', event: event([sqlMatch()]), wanted: [exclusion()] },
  {
    it: 'as few as needed, and what adds most first',
    event: event([sqlMatch({ rule: 920100, score: 2 }), sqlMatch({ rule: 920200, score: 3 }), sqlMatch()]),
    policy: { thresholds: { inbound: 6, outbound: 4 } },
    wanted: [exclusion()],
  },
  {
    it: 'several where one is not enough',
    event: event([sqlMatch(), sqlMatch({ rule: 942200 }), sqlMatch({ rule: 920100, score: 3 })]),
    wanted: [exclusion(), exclusion({ rule: 942200 })],
  },
  {
    it: 'one for a rule that matched twice in the same argument, and two for two arguments',
    event: event([sqlMatch(), sqlMatch(), sqlMatch({ parameter: { part: 'argument', name: 'r' } })]),
    wanted: [exclusion(), exclusion({ parameter: { part: 'argument', name: 'r' } })],
  },
  {
    it: 'of equal ones that which names a part of the request',
    event: event([sqlMatch({ rule: 941100, parameter: null, score: 3 }), sqlMatch({ score: 3 })]),
    wanted: [exclusion()],
  },
  {
    it: 'the rule as a whole where the part is not known',
    event: event([sqlMatch({ parameter: null })]),
    wanted: [exclusion({ parameter: null })],
  },
  {
    it: 'nothing for what is above the level that blocks',
    event: event([sqlMatch(), sqlMatch({ rule: 942999, counts: false })]),
    wanted: [exclusion()],
  },
  {
    it: 'never a rule that adds up, whatever a gateway says',
    event: event([sqlMatch({ rule: 949110 })]),
    wanted: /do not explain its score/,
  },
  {
    it: 'rules of answers for an answer',
    event: event([sqlMatch({ rule: 951100, score: 5, parameter: null })], { score_in: 0, score_out: 5 }),
    wanted: [exclusion({ rule: 951100, parameter: null })],
  },
  {
    it: 'the host as it is named in exclusions',
    event: event([sqlMatch()], { host: 'Git.Example.net' }),
    wanted: [exclusion()],
  },
  {
    it: 'nothing for a request that passed',
    event: event([sqlMatch({ score: 2 })], { verdict: 'scored', status: 200 }),
    wanted: /passed/,
  },
  {
    it: 'nothing where the policy has become milder',
    event: event([sqlMatch()]),
    policy: { thresholds: { inbound: 6, outbound: 4 } },
    wanted: /as it is now/,
  },
  {
    it: 'nothing where an exclusion in force is for that',
    event: event([sqlMatch()]),
    policy: { exclusions: [exclusion({ path: '/', below: true, parameter: null })] },
    wanted: /in force/,
  },
  {
    it: 'the rest where an exclusion in force is for a part of it',
    event: event([sqlMatch(), sqlMatch({ rule: 942200 })]),
    policy: { exclusions: [exclusion()] },
    wanted: [exclusion({ rule: 942200 })],
  },
  {
    it: 'nothing for a rule of the operator that blocks',
    event: event([own(), sqlMatch()]),
    policy: { rules: [rule('mine', 'block')] as never },
    wanted: /The rule "mine" of the policy refused it/,
  },
  {
    it: 'nothing for a rule of the operator that is gone and blocked',
    event: event([own()]),
    wanted: /The rule "mine"/,
  },
  {
    it: 'nothing where the points are those of the operator',
    event: event([own({ score: 20 }), sqlMatch()]),
    policy: { rules: [rule('mine', 'score', 20)] as never },
    wanted: /"mine"/,
  },
  {
    it: 'what is enough beside a rule of the operator that allows',
    event: event([own(), sqlMatch()]),
    policy: { rules: [rule('mine', 'allow')] as never },
    wanted: [exclusion()],
  },
  {
    it: 'nothing for a network that is denied',
    event: event([sqlMatch({ rule: 51, name: null, message: 'The network is denied.', score: 0 })]),
    wanted: /The policy itself refused it: The network is denied\. Change/,
  },
  {
    it: 'nothing where a match that is not recorded may refuse it',
    event: event([sqlMatch()], { matches_left_out: 3 }),
    wanted: /3 of its matches were not recorded/,
  },
  { it: 'nothing for a path with two spellings', event: event([sqlMatch()], { path: '/a//b' }), wanted: /"\/a\/\/b"/ },
  {
    it: 'nothing for a path that was cut off',
    event: event([sqlMatch()], { path: `/${'a'.repeat(499)}` }),
    wanted: /too long/,
  },
  { it: 'nothing for a path with odd letters', event: event([sqlMatch()], { path: '/a<b' }), wanted: /escaped/ },
];

describe('the exclusions that are proposed for a recorded request', () => {
  for (const one of CASES) {
    it(`are ${one.it}`, () => {
      const judged = { ...policy, ...one.policy };
      const { exclusions, why_none } = proposeExclusions(judged, one.event);
      if (one.wanted instanceof RegExp) {
        assert.match(why_none ?? '', one.wanted);
        assert.deepEqual(exclusions, []);
        return;
      }
      assert.deepEqual([exclusions, why_none], [one.wanted, null]);
      assert.ok(isRefused(judged, one.event, judged.exclusions), 'it is refused without them');
      assert.ok(!isRefused(judged, one.event, [...judged.exclusions, ...exclusions]), 'it passes with them');
      for (const left of exclusions) {
        const others = exclusions.filter((other) => other !== left);
        assert.ok(isRefused(judged, one.event, [...judged.exclusions, ...others]), 'each is needed');
      }
    });
  }
});
