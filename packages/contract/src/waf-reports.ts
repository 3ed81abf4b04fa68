/** What gateways say of what the WAF found. */
import { MAX_WAF_EVENTS, MAX_WAF_FRAGMENT, MAX_WAF_MATCHES, WAF_VERDICTS } from './areas/waf/vocabulary.ts';
import { idPattern } from './ids.ts';
import { maybe } from './maybe.ts';
import { named } from './named.ts';
import { Strict } from './operation.ts';
import { Timestamp } from './timestamp.ts';
import { type Static, Type } from './type.ts';
import { WafParameter } from './waf-parts.ts';
import { WafRuleName } from './waf-rules.ts';

export const WafVerdict = Type.Enum(WAF_VERDICTS, {
  description:
    '`blocked`: refused with 403. `detected`: it would have been, in the mode `block`. `scored`: rules matched, and it passed.',
});
export type WafVerdict = Static<typeof WafVerdict>;

const WAF_SEVERITIES = ['critical', 'error', 'warning', 'notice'] as const;

/** Of strangers: gateways write every other byte as `\xNN`, so that it can do nothing where people read it. */
const Printable = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: '^[\\x20-\\x7e]*$', ...(description === undefined ? {} : { description }) });

export const WafMatch = named(
  'WafMatch',
  Strict(
    {
      rule: Type.Integer({ minimum: 0, maximum: 99_999_999, description: 'Number of the rule.' }),
      name: maybe(
        WafRuleName,
        'Of a rule of the operator, what it is called. Null: it is of the rule set, or of the policy itself.',
      ),
      message: Printable(200, 'What the rule says of it.'),
      severity: Type.Enum(WAF_SEVERITIES, { description: 'How grave it is: 5, 4, 3 or 2 points.' }),
      score: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Points that it added.' }),
      paranoia: Type.Integer({ minimum: 0, maximum: 4, description: 'Level of the rule. 0: it has none.' }),
      counts: Type.Boolean({
        description: 'False: it is above the level that blocks, and its points are not counted.',
      }),
      tags: Type.Array(Printable(100), { maxItems: 20, description: 'Tags of the rule.' }),
      parameter: maybe(WafParameter, 'Where it was found. Null: in no part that an exclusion can name.'),
      fragment: maybe(
        Printable(MAX_WAF_FRAGMENT),
        'What was found, and no more than that. Null: it may be a secret, and is not recorded.',
      ),
    },
    { description: 'A rule that matched.' },
  ),
);
export type WafMatch = Static<typeof WafMatch>;

const score = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description });

/** What a gateway records of a request. No body, no header, no value of an argument but the fragments that matched. */
export const WafReport = named(
  'WafReport',
  Strict({
    id: Type.String({
      pattern: idPattern('wafevent'),
      description: 'Made by the gateway. Its time is that of the request.',
    }),
    policy: Type.String({ pattern: idPattern('waf'), description: 'Id of the policy.' }),
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    route: Printable(200, 'Path of the route.'),
    method: Printable(20, 'Of the request.'),
    host: Printable(253, 'The host name that was asked for.'),
    path: Printable(500, 'The path, without the query.'),
    address: Printable(45, 'Of the client.'),
    request_id: Printable(64, 'As the service gets it, in `X-Request-Id`.'),
    status: Type.Integer({ minimum: 0, maximum: 599, description: 'What the client was answered with.' }),
    verdict: WafVerdict,
    score_in: score('Of the request.'),
    score_out: score('Of the answer. 0: it was not inspected.'),
    matches: Type.Array(WafMatch, { maxItems: MAX_WAF_MATCHES, description: 'Rules that matched, the gravest first.' }),
    matches_left_out: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Matches that are not named.' }),
  }),
);
export type WafReport = Static<typeof WafReport>;

/** What a gateway counted and did not send one by one, because it was too much. */
export const WafLeftOut = Strict(
  {
    id: Type.String({ pattern: idPattern('wafevent'), description: 'Made by the gateway.' }),
    policy: Type.String({ pattern: idPattern('waf'), description: 'Id of the policy.' }),
    ingress: Type.String({ pattern: idPattern('ingress'), description: 'Id of the ingress.' }),
    from: Timestamp('Of the first.'),
    to: Timestamp('Of the last.'),
    blocked: score('Requests that were blocked.'),
    detected: score('Requests that would have been.'),
    scored: score('Requests that passed although rules matched.'),
  },
  { description: 'Requests that were counted and not recorded.' },
);
export type WafLeftOut = Static<typeof WafLeftOut>;

export const WafObserved = Strict(
  {
    events: Type.Optional(Type.Array(WafReport, { maxItems: MAX_WAF_EVENTS, description: 'The oldest first.' })),
    left_out: Type.Optional(
      Type.Array(WafLeftOut, { maxItems: MAX_WAF_EVENTS, description: 'What was only counted.' }),
    ),
    counted_from: Type.Optional(
      Timestamp('Since when nothing was lost without being counted. It is later after a crash.'),
    ),
  },
  { description: 'What the WAF found since the last heartbeat that was answered. Repeated until it is.' },
);
export type WafObserved = Static<typeof WafObserved>;

/** What came of a request on the test bench. */
export const WafTestResult = Strict(
  {
    verdict: Type.Enum(['blocked', 'detected', 'scored', 'passed'], {
      description: 'As of an event. `passed`: no rule matched.',
    }),
    status: Type.Integer({ minimum: 0, maximum: 599, description: '200: it would have reached the service.' }),
    score_in: score('Of the request.'),
    matches: Type.Array(WafMatch, { maxItems: MAX_WAF_MATCHES, description: 'Rules that matched.' }),
    matches_left_out: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Matches that are not named.' }),
    rule_set: Printable(100, 'Version of the rule set.'),
  },
  { description: 'What came of it.' },
);
export type WafTestResult = Static<typeof WafTestResult>;
