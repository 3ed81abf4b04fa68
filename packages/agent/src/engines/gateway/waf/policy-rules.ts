/** The rules of one policy: what it sets before those of the rule set, and what it refuses itself. */
import type { WafAssignment } from '@meshwork/contract';
import { exclusionRules } from './exclusion-rules.ts';
import { operatorRules } from './operator-rules.ts';
import type { RuleInventory } from './rule-inventory.ts';
import { CHECKS, numberIn } from './rule-numbers.ts';
import { literally, secAction, secRule, type Test } from './seclang-text.ts';
import { type FLAGS, isOfPolicy } from './transaction-id.ts';

/** What differs between the generations of the Core Rule Set. */
export interface RuleSetKind {
  /** `3`, `4`. */
  readonly major: number;
  readonly inventory: RuleInventory;
}

/** Behind all rules of the rule set. */
export const END = 'MESH_END';
const NOT_FOR_RULES: readonly number[] = [
  CHECKS.body_not_understood,
  CHECKS.xml_encoding,
  CHECKS.arguments,
  CHECKS.argument_length,
];
/** It says so, or it does not begin as text of single bytes does. */
const XML_IN_OTHER_BYTES =
  '(?i)(?:\\A(?:\\xff|\\xfe|.?\\x00)|\\A[^>]*\\sencoding\\s*=\\s*[\\x22\\x27](?!(?:utf-8|us-ascii|iso-8859-1|windows-1252)[\\x22\\x27]))';

/** Rules of the rule set that ours stand in for: which methods and types a request may have. */
const REPLACED = [911_100, 920_420];

/** For requests of this policy alone: see `policy-dispatch.ts`. */
export function settingRules(
  place: number,
  policy: WafAssignment,
  { major, inventory }: RuleSetKind,
): readonly string[] {
  const { id, rules } = policy;
  const { paranoia, thresholds, mode } = rules;
  const numbers = {
    crs_setup_version: major * 100,
    ...(major >= 4
      ? { blocking_paranoia_level: paranoia.block, detection_paranoia_level: Math.max(paranoia.block, paranoia.detect) }
      : { paranoia_level: paranoia.block, executing_paranoia_level: Math.max(paranoia.block, paranoia.detect) }),
    inbound_anomaly_score_threshold: thresholds.inbound,
    outbound_anomaly_score_threshold: thresholds.outbound,
    ...(major >= 4
      ? { early_blocking: Number(rules.early_blocking), blocking_early: Number(rules.early_blocking) }
      : {}),
  };
  const set = Object.entries(numbers).map(([name, value]) => `setvar:tx.${name}=${whole(value)}`);
  const without = REPLACED.filter((rule) => inventory.has(rule)).map((rule) => `ctl:ruleRemoveById=${rule}`);
  const off = (number: number, flag: keyof typeof FLAGS) =>
    secRule({
      id: numberIn(place, number),
      phase: 1,
      when: [{ variables: 'UNIQUE_ID', operator: `@rx ${isOfPolicy(id, flag)}` }],
      actions: ['pass', 'nolog', 'ctl:ruleEngine=Off'],
    });
  return [
    ...(mode === 'block' ? [] : [secAction(numberIn(place, 5), 1, ['pass', 'nolog', 'ctl:ruleEngine=DetectionOnly'])]),
    ...(rules.sampling_percent < 100 ? [off(6, 'unsampled')] : []),
    ...(rules.clients.trusted.length > 0 ? [off(7, 'trusted')] : []),
    secAction(numberIn(place, 8), 1, ['pass', 'nolog', ...set, ...without]),
    ...(rules.inspect_responses
      ? []
      : [secAction(numberIn(place, 9), 1, ['pass', 'nolog', 'ctl:ruleRemoveById=950000-959999'])]),
    ...exclusionRules(place, policy, inventory),
  ];
}

/** After the scores of the rule set were set to nothing, and before its rules. */
export function checkingRules(place: number, policy: WafAssignment, { major }: RuleSetKind): readonly string[] {
  const { id, rules } = policy;
  const { clients, requests } = rules;
  const refusing = (number: number, phase: 1 | 2, message: string, ...when: readonly [Test, ...Test[]]) =>
    secRule({
      id: numberIn(place, number),
      phase,
      when,
      // What cannot be inspected, or would take too long, is not looked at any further: also in the mode `detect`.
      effects: NOT_FOR_RULES.includes(number) ? [`skipAfter:${END}`] : [],
      actions: ['deny', 'status:403', 'log', 'auditlog', `msg:'${message}'`, "severity:'CRITICAL'", "rev:'block'"],
    });
  const types = requests.content_types.map((type) =>
    type.endsWith('/*') ? `${literally(type.slice(0, -1))}[^;,\\s]+` : literally(type),
  );
  const most = (value: number | null, make: (value: number) => string) => (value === null ? [] : [make(whole(value))]);
  return [
    ...(clients.denied.length === 0
      ? []
      : [refusing(CHECKS.denied_network, 1, 'Network is denied', of('UNIQUE_ID', isOfPolicy(id, 'denied')))]),
    ...countryRules(place, rules, refusing),
    refusing(
      CHECKS.method,
      1,
      'Method is not allowed',
      of('REQUEST_METHOD', `\\A(?:${requests.methods.map(literally).join('|')})\\z`, '!'),
    ),
    ...(types.length === 0
      ? []
      : [
          refusing(
            CHECKS.content_type,
            1,
            'Content type is not allowed',
            of('REQUEST_HEADERS:Content-Type', `(?i)\\A\\s*(?:${types.join('|')})\\s*(?:;|\\z)`, '!'),
          ),
        ]),
    refusing(CHECKS.content_types, 1, 'More than one content type', {
      variables: '&REQUEST_HEADERS:Content-Type',
      operator: '@gt 1',
    }),
    refusing(
      CHECKS.content_encoding,
      1,
      'Body is encoded and cannot be inspected',
      of('REQUEST_HEADERS:Content-Encoding', '(?i)\\A\\s*(?:identity)?\\s*\\z', '!'),
    ),
    refusing(CHECKS.body_not_understood, 2, 'Body is not what its type says', {
      variables: 'REQBODY_ERROR',
      operator: '!@eq 0',
    }),
    refusing(CHECKS.multipart, 2, 'Parts of the body are malformed', {
      variables: 'MULTIPART_STRICT_ERROR',
      operator: '!@eq 0',
    }),
    refusing(CHECKS.xml_document_type, 2, 'XML has a document type', ...ofXml('(?i)<!DOCTYPE')),
    // Byte order marks of UTF-16 and UTF-32 too: rules look at bytes, and a service would read something else.
    refusing(CHECKS.xml_encoding, 2, 'XML is not in UTF-8', ...ofXml(XML_IN_OTHER_BYTES)),
    ...most(requests.arguments_most, (value) =>
      refusing(CHECKS.arguments, 2, 'Too many arguments', { variables: '&ARGS', operator: `@gt ${value}` }),
    ),
    ...most(requests.argument_bytes, (value) =>
      refusing(CHECKS.argument_length, 2, 'Argument is too long', {
        variables: 'ARGS|ARGS_NAMES|XML:/*|XML://@*',
        operator: `@gt ${value}`,
        transforms: ['length'],
      }),
    ),
    ...most(requests.file_bytes, (value) =>
      refusing(CHECKS.file_size, 2, 'File is too large', { variables: 'FILES_SIZES', operator: `@gt ${value}` }),
    ),
    ...(requests.denied_extensions.length === 0
      ? []
      : [
          refusing(
            CHECKS.file_extension,
            2,
            'Files of this kind are not allowed',
            of(
              'FILES',
              `(?i)\\.(?:${requests.denied_extensions.map(literally).join('|')})(?:[\\s.]*(?::|;|\\x25|\\x00|\\z))`,
            ),
          ),
        ]),
    ...operatorRules(place, rules.rules, major >= 4 ? 'inbound_anomaly_score_pl1' : 'anomaly_score_pl1'),
  ];
}

function countryRules(
  place: number,
  { clients: { allowed_countries: allowed, denied_countries: denied } }: WafAssignment['rules'],
  refusing: (number: number, phase: 1 | 2, message: string, ...when: readonly [Test, ...Test[]]) => string,
): readonly string[] {
  if (allowed.length + denied.length === 0) return [];
  const oneOf = (countries: readonly string[]) =>
    of('GEO:COUNTRY_CODE', `\\A(?:${countries.map(literally).join('|')})\\z`);
  const flag = `mesh_country_${place}`;
  const looked = { id: numberIn(place, 40), phase: 1 as const, actions: ['pass', 'nolog'] };
  return [
    secRule({ ...looked, when: [{ variables: 'REMOTE_ADDR', operator: '@geoLookup' }] }),
    ...(denied.length === 0 ? [] : [refusing(CHECKS.denied_country, 1, 'Country is denied', oneOf(denied))]),
    ...(allowed.length === 0
      ? []
      : [
          secRule({
            id: numberIn(place, 41),
            phase: 1,
            when: [oneOf(allowed)],
            actions: ['pass', 'nolog', `setvar:tx.${flag}=1`],
          }),
          refusing(CHECKS.country_not_allowed, 1, 'Country is not allowed', {
            variables: `&TX:${flag}`,
            operator: '@eq 0',
          }),
        ]),
  ];
}

/** The engine gives each test of a chain its own say: the body is looked at only where it is XML. */
function ofXml(pattern: string): readonly [Test, Test] {
  return [{ variables: 'REQBODY_PROCESSOR', operator: '@streq XML' }, of('REQUEST_BODY', pattern)];
}

function of(variables: string, pattern: string, not: '' | '!' = ''): Test {
  return { variables, operator: `${not}@rx ${pattern}` };
}

function whole(value: number): number {
  if (!Number.isInteger(value) || value < 0) throw new Error(`${value} is no number of a policy`);
  return value;
}
