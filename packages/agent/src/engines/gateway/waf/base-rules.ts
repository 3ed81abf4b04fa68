/** What holds for all policies: how bodies are read, and what is recorded. */
import type { WafAssignment } from '@meshwork/contract';
import { secMarker, secRule } from './seclang-text.ts';

interface BaseInput {
  readonly policies: readonly WafAssignment[];
  readonly temp: string;
  readonly audit_log: string;
  /** Path of the operator's data file of countries. */
  readonly countries: string | undefined;
}

const UNICODE_MAP = '/etc/nginx/unicode.mapping';
/** Ours: deeper JSON is not understood, and so refused. */
const JSON_DEPTH = 128;
/** Ours: of an answer that is inspected, its beginning. */
const RESPONSE_BYTES = 524_288;
const JSON_TYPE = '(?i)\\A\\s*(?:application|text)/(?:[a-z0-9!#&^_.+-]+\\+)?json\\s*(?:[;,]|\\z)';
const XML_TYPE = '(?i)\\A\\s*(?:application|text)/(?:[a-z0-9!#&^_.+-]+\\+)?xml\\s*(?:[;,]|\\z)';
/** What has a reader of its own, or is no text. Any other body is read as one text, so that rules see it. */
const NOT_TEXT =
  '(?i)\\A\\s*(?:multipart/form-data|(?:application|text)/(?:[a-z0-9!#&^_.+-]+\\+)?(?:json|xml)\\s*(?:[;,]|\\z)|application/(?:octet-stream|x-www-form-urlencoded|zip|gzip|x-gzip|pdf|x-protobuf|protobuf|grpc|msgpack|x-msgpack|cbor|wasm)|(?:image|audio|video|font)/)';

/** Paths are of folders whose names mean nothing to the engine: see `../nginx-config.ts`. */
export function baseRules({ policies, temp, audit_log, countries }: BaseInput): readonly string[] {
  const largest = Math.max(1, ...policies.map(({ rules }) => rules.requests.body_bytes)) + 65_536;
  const inspects = policies.some(({ rules }) => rules.inspect_responses);
  return [
    'SecRuleEngine On',
    'SecRequestBodyAccess On',
    // nginx refuses what is larger than its policy allows, and this is never reached.
    `SecRequestBodyLimit ${largest}`,
    `SecRequestBodyNoFilesLimit ${largest}`,
    'SecRequestBodyLimitAction Reject',
    `SecRequestBodyJsonDepthLimit ${JSON_DEPTH}`,
    `SecResponseBodyAccess ${inspects ? 'On' : 'Off'}`,
    `SecResponseBodyLimit ${RESPONSE_BYTES}`,
    'SecResponseBodyLimitAction ProcessPartial',
    'SecResponseBodyMimeType text/plain text/html text/xml application/json application/xml',
    `SecTmpDir ${temp}`,
    `SecDataDir ${temp}`,
    `SecUnicodeMapFile ${UNICODE_MAP} 20127`,
    'SecPcreMatchLimit 100000',
    'SecPcreMatchLimitRecursion 100000',
    'SecArgumentSeparator &',
    'SecCookieFormat 0',
    'SecCollectionTimeout 600',
    ...(countries === undefined ? [] : [`SecGeoLookupDb ${countries}`]),
    'SecAuditEngine RelevantOnly',
    'SecAuditLogRelevantStatus "^$"', // what rules record, and nothing because of its status
    'SecAuditLogParts AHZ',
    'SecAuditLogType Serial',
    'SecAuditLogFormat JSON',
    `SecAuditLog ${audit_log}`,
    ...[1, 2, 3, 4, 5].map((phase) => `SecDefaultAction "phase:${phase},log,auditlog,pass"`),
    processor(1, JSON_TYPE, '', 'JSON'),
    processor(2, XML_TYPE, '', 'XML'),
    processor(3, NOT_TEXT, '!', 'URLENCODED'),
    secRule({
      id: 19_000_004,
      phase: 1,
      when: [{ variables: '&REQUEST_HEADERS:Content-Type', operator: '@eq 0' }],
      actions: ['pass', 'nolog', 'ctl:requestBodyProcessor=URLENCODED'],
    }),
    secMarker('MESH_BASE'),
  ];
}

function processor(number: number, pattern: string, not: '' | '!', name: string): string {
  return secRule({
    id: 19_000_000 + number,
    phase: 1,
    when: [{ variables: 'REQUEST_HEADERS:Content-Type', operator: `${not}@rx ${pattern}` }],
    actions: ['pass', 'nolog', `ctl:requestBodyProcessor=${name}`],
  });
}
