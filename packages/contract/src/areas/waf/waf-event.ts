import { idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText, NodeName } from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { PATH_PATTERN } from '../../upstream-check.ts';
import { WafReport, WafTestResult, WafVerdict } from '../../waf-reports.ts';
import { WafExclusionRules } from '../../waf-rules.ts';
import { exampleIngress } from '../ingress/ingress-record.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';

const exact = (description: string) => ({ additionalProperties: false, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const ByGateway = {
  node: NodeIdText,
  gateway: NodeName,
};

export const WafEvent = named(
  'WafEvent',
  Type.Object(
    { at: Timestamp('When, by the clock of the gateway.'), ...ByGateway, ...WafReport.properties },
    { additionalProperties: false },
  ),
);
export type WafEvent = Static<typeof WafEvent>;

const byVerdict = {
  blocked: count('Requests that were blocked.'),
  detected: count('Requests that would have been.'),
  scored: count('Requests that passed although rules matched.'),
};
const Top = (what: string) =>
  Type.Array(
    Type.Object(
      {
        value: Type.String({ description: what }),
        label: Type.String({ description: 'What people read.' }),
        ...byVerdict,
      },
      exact('How often.'),
    ),
    { maxItems: 10, description: `${what} Most often first.` },
  );

export const WafSummary = named(
  'WafSummary',
  Type.Object(
    {
      from: Timestamp('Where it begins.'),
      to: Timestamp('Where it ends.'),
      step_s: Type.Integer({ description: 'Seconds of one step.' }),
      steps: Type.Array(Type.Object({ at: Timestamp('Where the step begins.'), ...byVerdict }, exact('One step.')), {
        description: 'All of them, also those without an event.',
      }),
      ...byVerdict,
      left_out: Type.Object(byVerdict, exact('Of these, requests that gateways only counted.')),
      whole: Type.Boolean({ description: 'False: there were too many events to read; the newest are counted.' }),
      rules: Top('Number of a rule.'),
      addresses: Top('Address of a client.'),
      places: Top('Host name and path.'),
    },
    { additionalProperties: false },
  ),
);
export type WafSummary = Static<typeof WafSummary>;

/** What an exclusion would have done to the events that are recorded. */
export const WafReplay = named(
  'WafReplay',
  Type.Object(
    {
      events: count('Events of the policy that were looked at.'),
      from: maybe(Timestamp('Of the oldest of them.'), 'Null: there is none.'),
      whole: Type.Boolean({ description: 'False: there are more, which are older.' }),
      concerned: count('Events that have a match which it would have left out.'),
      let_through: count('Of these, requests that would have passed instead of being refused.'),
      examples: Type.Array(WafEvent, { maxItems: 20, description: 'Those that would have passed, the newest first.' }),
    },
    { additionalProperties: false },
  ),
);
export type WafReplay = Static<typeof WafReplay>;

const of = (description: string) => Type.Object(WafReplay.properties, exact(description));

export const WafProposal = named(
  'WafProposal',
  Type.Object(
    {
      event: Type.String({ pattern: idPattern('wafevent'), description: 'The event.' }),
      policy: Type.String({ pattern: idPattern('waf'), description: 'The policy that they belong to.' }),
      exclusions: Type.Array(
        Type.Object(
          { ...WafExclusionRules.properties, replay: of('What it alone would have done.') },
          { additionalProperties: false, description: 'An exclusion, with what it alone would have done.' },
        ),
        { description: 'The fewest and narrowest with which the request would have passed. Empty: there are none.' },
      ),
      replay: of('What all of them together would have done.'),
      why_none: maybe(Type.String(), 'Why no exclusion lets the request through. Null: these do.'),
    },
    { additionalProperties: false },
  ),
);
export type WafProposal = Static<typeof WafProposal>;

export const WafTested = named(
  'WafTested',
  Type.Object(
    { ...ByGateway, ...WafTestResult.properties },
    { additionalProperties: false, description: 'What came of a request on the test bench of a gateway.' },
  ),
);
export type WafTested = Static<typeof WafTested>;

const idOrName = (kind: 'waf' | 'ingress', description: string) =>
  Type.String({ pattern: `^(?:${idPattern(kind).slice(1, -1)}|${NODE_NAME_PATTERN.slice(1, -1)})$`, description });

export const eventFilters = {
  policy: Type.Optional(idOrName('waf', 'Only of this policy: its id or name.')),
  ingress: Type.Optional(idOrName('ingress', 'Only of this ingress: its id or name.')),
  route: Type.Optional(
    Type.String({ maxLength: 200, pattern: PATH_PATTERN, description: 'Only of this route: its path.' }),
  ),
  rule: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Only with a match of this rule.' }),
  ),
  address: Type.Optional(
    Type.String({
      maxLength: 49,
      pattern: '^[0-9A-Fa-f:.]{2,45}(?:/[0-9]{1,3})?$',
      description: 'Only of this client: its address, or a network such as `192.0.2.0/24`.',
    }),
  ),
  verdict: Type.Optional(WafVerdict),
  from: Type.Optional(Timestamp('Only from this time on.')),
  to: Type.Optional(Timestamp('Only before this time.')),
};

export const exampleWafEvent: WafEvent = {
  id: 'wafevent_01jcqvc37ee3xv9k7d0w8m2b4n',
  at: '2026-11-15T09:30:30Z',
  node: exampleNode.id,
  gateway: 'gw-1',
  policy: 'waf_01jcqvc37ee3xv9k7d0w8m2b4n',
  ingress: exampleIngress.id,
  route: '/',
  method: 'GET',
  host: 'git.example.net',
  path: '/search',
  address: '192.0.2.7',
  request_id: '0f8c6e2d4b1a49e79c0d3f5a6b7c8d9e',
  status: 403,
  verdict: 'blocked',
  score_in: 5,
  score_out: 0,
  matches: [
    {
      rule: 942100,
      name: null,
      message: 'SQL Injection Attack Detected via libinjection',
      severity: 'critical',
      score: 5,
      paranoia: 1,
      counts: true,
      tags: ['attack-sqli', 'paranoia-level/1'],
      parameter: { part: 'argument', name: 'q' },
      fragment: "1' OR '1'='1",
    },
  ],
  matches_left_out: 0,
};

const none = { blocked: 0, detected: 0, scored: 0 };
export const exampleReplay: WafReplay = {
  events: 1,
  from: exampleWafEvent.at,
  whole: true,
  concerned: 1,
  let_through: 1,
  examples: [exampleWafEvent],
};
export const exampleWafSummary: WafSummary = {
  from: '2026-11-15T09:00:00Z',
  to: '2026-11-15T10:00:00Z',
  step_s: 3600,
  steps: [{ at: '2026-11-15T09:00:00Z', ...none, blocked: 1 }],
  ...none,
  blocked: 1,
  left_out: none,
  whole: true,
  rules: [{ value: '942100', label: 'SQL Injection Attack Detected via libinjection', ...none, blocked: 1 }],
  addresses: [{ value: '192.0.2.7', label: '192.0.2.7', ...none, blocked: 1 }],
  places: [{ value: 'git.example.net/search', label: 'git.example.net/search', ...none, blocked: 1 }],
};
