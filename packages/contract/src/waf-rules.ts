/** What a WAF policy makes of a request. Said by operators, and sent to gateways. */
import { MAX_WAF_EXCLUSIONS, MAX_WAF_RULES, WAF_TESTS, WAF_TRANSFORMS } from './areas/waf/vocabulary.ts';
import { maybe } from './maybe.ts';
import { named } from './named.ts';
import { Strict } from './operation.ts';
import { HEADER_NAME_PATTERN, Networks } from './traffic.ts';
import { type Static, Type } from './type.ts';
import { WafParameter } from './waf-parts.ts';

const WAF_MODES = ['off', 'detect', 'block'] as const;
export const WafMode = Type.Enum(WAF_MODES, {
  description:
    '`off`: requests are not inspected. `detect`: they are inspected and recorded, and all of them pass. `block`: those that reach a threshold are answered with 403.',
});
export type WafMode = Static<typeof WafMode>;

const level = (description: string) => Type.Integer({ minimum: 1, maximum: 4, description });
const block = level('Rules up to this level count towards the thresholds. Higher finds more, and is wrong more often.');
const detect = level('Rules up to this level are evaluated and recorded. At least `block`.');
const threshold = (description: string) => Type.Integer({ minimum: 1, maximum: 10_000, description });
const inbound = threshold('Score of a request from which it is refused. A critical match scores 5.');
const outbound = threshold('Score of an answer from which it is refused. Only where answers are inspected.');

const early_blocking = Type.Boolean({
  description:
    'True: a request is judged by its headers before its body is read, and an answer before its body. Only rule sets from version 4 can.',
});
const sampling_percent = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'How many of 100 requests are inspected, by chance. The rest passes as if there were no WAF.',
});
const inspect_responses = Type.Boolean({
  description:
    'True: answers of services are inspected too. One that is refused is cut off where that was found, as its beginning may have been sent. It costs memory and time with every answer.',
});

const methods = Type.Array(Type.String({ pattern: '^[A-Z][A-Z-]{0,19}$' }), {
  minItems: 1,
  maxItems: 32,
  uniqueItems: true,
  description: 'Methods that a request may have.',
});
const content_types = Type.Array(
  Type.String({ maxLength: 100, pattern: '^[a-z0-9][a-z0-9!#&^_.+-]*/[a-z0-9*][a-z0-9!#&^_.+-]*$' }),
  { maxItems: 64, uniqueItems: true, description: 'Types that a body may have, in lower case. Empty: any.' },
);
const body_bytes = Type.Integer({
  minimum: 0,
  maximum: 128 * 1024 * 1024,
  description:
    'The largest body. Larger ones are answered with 413: what is not inspected does not pass. A body is held in memory while it is inspected.',
});
const arguments_most = maybe(
  Type.Integer({ minimum: 1, maximum: 10_000 }),
  'How many arguments a request may have. Null: any number.',
);
const argument_bytes = maybe(
  Type.Integer({ minimum: 1, maximum: 1024 * 1024 }),
  'How long the value of an argument may be. Null: any length.',
);
const file_bytes = maybe(
  Type.Integer({ minimum: 1, maximum: 128 * 1024 * 1024 }),
  'How large an uploaded file may be. Null: any size that fits `body_bytes`.',
);
const denied_extensions = Type.Array(Type.String({ pattern: '^[a-z0-9]{1,16}$' }), {
  maxItems: 64,
  uniqueItems: true,
  description: 'Ends of names that no uploaded file may have: `exe`, `php`. In lower case; any case of them counts.',
});

const trusted = Networks('Requests from these networks are not inspected.');
const denied = Networks('Requests from these networks are refused, in the mode `detect` recorded.');
const countries = (description: string) =>
  Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 250, uniqueItems: true, description });
const allowed_countries = countries(
  'Only requests from these countries pass, by the two letters of ISO 3166. Empty: from all. A gateway without a data file of countries does not serve the policy.',
);
const denied_countries = countries('Requests from these countries are refused.');

const WafCondition = Strict(
  {
    ...WafParameter.properties,
    test: Type.Enum(WAF_TESTS, {
      description:
        '`matches`: a regular expression. `in_networks`: only for `address`. `is_there`: it is there at all, and `values` is empty.',
    }),
    values: Type.Array(Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x20-\\x7e]+$' }), {
      maxItems: 64,
      description: 'With one of these it is met: texts, regular expressions, or networks.',
    }),
    negated: Type.Boolean({ description: 'True: it is met when the test fails.' }),
    transforms: Type.Array(Type.Enum(WAF_TRANSFORMS), {
      maxItems: 5,
      description: 'What is done to the value before, in this order.',
    }),
  },
  { description: 'What has to be so.' },
);
export type WafCondition = Static<typeof WafCondition>;

export const WafRuleName = Type.String({
  maxLength: 100,
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9 ._-]*[A-Za-z0-9])?$',
  description: 'What it is called in events.',
});
const WAF_ACTIONS = ['block', 'allow', 'score'] as const;
const WafRule = Strict(
  {
    name: WafRuleName,
    when: Type.Array(WafCondition, { minItems: 1, maxItems: 8, description: 'All of these have to be met.' }),
    action: Type.Enum(WAF_ACTIONS, {
      description:
        '`block`: refused at once. `allow`: not inspected any further. `score`: adds `score` to what the request has.',
    }),
    score: Type.Integer({ minimum: 0, maximum: 100, description: 'For the action `score`. 0 for the others.' }),
  },
  { description: 'A rule of the operator. Rules run in their order, before those of the rule set.' },
);
export type WafRule = Static<typeof WafRule>;

/** Rules of the rule set by their number. Those that add up and judge are not among them: see `isScoringRule`. */
const rule = maybe(Type.Integer({ minimum: 100_000, maximum: 999_999 }), 'Number of the rule. Null: `tag` says which.');
const tag = maybe(
  Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_./-]{0,99}$' }),
  'All rules with this tag, such as `attack-sqli`. Null: `rule` says which.',
);
export const WAF_PATH_PATTERN = '^/[A-Za-z0-9._~!$&()*+,;=:@%/-]*$';

/** Where it holds is mandatory: one that holds everywhere turns a rule off, which no false positive asks for. */
export const WafExclusionRules = Strict(
  {
    rule,
    tag,
    host: Type.String({
      maxLength: 253,
      pattern: '^[a-z0-9:](?:[a-z0-9.:-]*[a-z0-9])?$',
      description: 'The host name.',
    }),
    path: Type.String({ maxLength: 500, pattern: WAF_PATH_PATTERN, description: 'The path, as the service gets it.' }),
    below: Type.Boolean({ description: 'True: everything below the path too. False: the path alone.' }),
    parameter: maybe(WafParameter, 'The part of the request that is not looked at. Null: the rules do not run at all.'),
  },
  { description: 'Where rules of the rule set do not look.' },
);
export type WafExclusionRules = Static<typeof WafExclusionRules>;

export const WafExclusionsInForce = Type.Array(WafExclusionRules, {
  maxItems: MAX_WAF_EXCLUSIONS,
  description: 'Those that are in force.',
});

const fields = {
  mode: WafMode,
  early_blocking,
  sampling_percent,
  inspect_responses,
};
const groups = {
  paranoia: { block, detect },
  thresholds: { inbound, outbound },
  requests: { methods, content_types, body_bytes, arguments_most, argument_bytes, file_bytes, denied_extensions },
  clients: { trusted, denied, allowed_countries, denied_countries },
};
const OF_GROUPS = {
  paranoia: { description: 'How suspicious the rule set is, from 1 to 4.' },
  thresholds: { description: 'Scores from which requests and answers are refused.' },
  requests: { description: 'What a request may look like.' },
  clients: { description: 'Who is not inspected, and who is refused.' },
};
const exact = { additionalProperties: false };
const rules = Type.Array(WafRule, { maxItems: MAX_WAF_RULES, description: 'Rules of the operator, in their order.' });

export const WafRules = named(
  'WafRules',
  Type.Object(
    {
      ...fields,
      paranoia: Type.Object(groups.paranoia, { ...exact, ...OF_GROUPS.paranoia }),
      thresholds: Type.Object(groups.thresholds, { ...exact, ...OF_GROUPS.thresholds }),
      requests: Type.Object(groups.requests, { ...exact, ...OF_GROUPS.requests }),
      clients: Type.Object(groups.clients, { ...exact, ...OF_GROUPS.clients }),
      rules,
    },
    { additionalProperties: false, description: 'What is made of a request.' },
  ),
);
export type WafRules = Static<typeof WafRules>;

const OPTIONAL = {
  paranoia: { block: Type.Optional(block), detect: Type.Optional(detect) },
  thresholds: { inbound: Type.Optional(inbound), outbound: Type.Optional(outbound) },
  requests: {
    methods: Type.Optional(methods),
    content_types: Type.Optional(content_types),
    body_bytes: Type.Optional(body_bytes),
    arguments_most: Type.Optional(arguments_most),
    argument_bytes: Type.Optional(argument_bytes),
    file_bytes: Type.Optional(file_bytes),
    denied_extensions: Type.Optional(denied_extensions),
  },
  clients: {
    trusted: Type.Optional(trusted),
    denied: Type.Optional(denied),
    allowed_countries: Type.Optional(allowed_countries),
    denied_countries: Type.Optional(denied_countries),
  },
};

/** What a caller says of it. The rest is as it was, or as in `DEFAULT_WAF_RULES`. */
export const wafRulesChange = {
  mode: Type.Optional(WafMode),
  early_blocking: Type.Optional(early_blocking),
  sampling_percent: Type.Optional(sampling_percent),
  inspect_responses: Type.Optional(inspect_responses),
  paranoia: Type.Optional(Strict(OPTIONAL.paranoia, OF_GROUPS.paranoia)),
  thresholds: Type.Optional(Strict(OPTIONAL.thresholds, OF_GROUPS.thresholds)),
  requests: Type.Optional(Strict(OPTIONAL.requests, OF_GROUPS.requests)),
  clients: Type.Optional(Strict(OPTIONAL.clients, OF_GROUPS.clients)),
  rules: Type.Optional(rules),
};
const WafRulesChange = Strict(wafRulesChange);
export type WafRulesChange = Static<typeof WafRulesChange>;

/** A request for the test bench of a gateway. */
export const WafTestRequest = Strict(
  {
    method: Type.String({ pattern: '^[A-Z][A-Z-]{0,19}$', description: 'Its method.' }),
    host: Type.String({
      maxLength: 253,
      pattern: '^[a-z0-9:](?:[a-z0-9.:-]*[a-z0-9])?$',
      description: 'The host name.',
    }),
    uri: Type.String({ maxLength: 4000, pattern: '^/[\\x21-\\x7e]*$', description: 'Path and query, encoded.' }),
    headers: Type.Array(
      Strict({
        name: Type.String({ pattern: HEADER_NAME_PATTERN, description: 'Its name.' }),
        value: Type.String({ maxLength: 4000, pattern: '^[\\x20-\\x7e]*$', description: 'Its value.' }),
      }),
      { maxItems: 64, description: 'Its headers, beside `Host` and `Content-Length`.' },
    ),
    body: maybe(Type.String({ maxLength: 32_768 }), 'Its body, as text. Null: none.'),
    address: Type.String({ maxLength: 45, pattern: '^[0-9a-f:.]{2,45}$', description: 'Where it comes from.' }),
  },
  { description: 'A request that is tried.' },
);
export type WafTestRequest = Static<typeof WafTestRequest>;
