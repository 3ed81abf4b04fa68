/** Turns a line of ModSecurity's audit log into what is reported: fragments of what matched, and nothing else of the request. */
import { createHash } from 'node:crypto';
import type { WafMatch, WafReport } from '@meshwork/contract';
import { isId, isScoringRule, MAX_WAF_FRAGMENT, MAX_WAF_MATCHES, newId } from '@meshwork/contract/vocabulary';
import type { LongLine } from '../followed-log.ts';
import type { RuleInventory } from './rule-inventory.ts';
import { isCheck, isOfOperator, ownNumber, SUMMARY } from './rule-numbers.ts';
import { parameterOf } from './seclang-parts.ts';
import { mayBeSecret } from './secrets.ts';
import { type Named, namedBy } from './transaction-id.ts';

interface AuditRecord {
  readonly client_ip: string;
  readonly unique_id: string;
  readonly request: { readonly method: string; readonly uri: string };
  readonly response: { readonly http_code: number };
  readonly messages: readonly AuditMessage[];
}

interface AuditMessage {
  readonly message: string;
  readonly details: Readonly<Record<'match' | 'ruleId' | 'data' | 'severity' | 'rev', string>> & {
    readonly tags: readonly string[];
  };
}

const SEVERITIES = ['critical', 'error', 'warning', 'notice'] as const;
const POINTS = { critical: 5, error: 4, warning: 3, notice: 2 } as const;
/** Rules of the rule set that refuse. */
const JUDGES: readonly number[] = [949_100, 949_110, 949_111, 959_100, 959_101, 901_001, 901_500];

/** Undefined: it is no record, such as a line that was not written to its end. Null: it is one of no policy. */
export function readRecord(line: string, inventory: RuleInventory): WafReport | null | undefined {
  const record = recordIn(line);
  if (record === undefined) return undefined;
  const of = namedBy(record.unique_id);
  return of === undefined ? null : reportOf(record, of, inventory);
}

const MESSAGES = ',"messages":[';
/** Quotes within a value have a backslash before them. */
const NEXT_MESSAGE = /,(?=\{"message":")/;

/** Of one with too many matches: the first of them, and the last, which say how it was judged. */
export function readLongRecord({ beginning, end }: LongLine, inventory: RuleInventory): WafReport | null | undefined {
  const start = beginning.indexOf(MESSAGES) + MESSAGES.length;
  if (start < MESSAGES.length) return undefined;
  const first = beginning.slice(start).split(NEXT_MESSAGE).slice(0, -1);
  const last = end.split(NEXT_MESSAGE).slice(1);
  return readRecord(beginning.slice(0, start) + [...first, ...last].join(','), inventory);
}

function recordIn(line: string): AuditRecord | undefined {
  try {
    const transaction = (JSON.parse(line) as { readonly transaction?: AuditRecord } | null)?.transaction;
    const isWhole =
      typeof transaction?.unique_id === 'string' &&
      typeof transaction.request?.uri === 'string' &&
      typeof transaction.request.method === 'string' &&
      typeof transaction.client_ip === 'string' &&
      Array.isArray(transaction.messages);
    return isWhole ? transaction : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function reportOf(record: AuditRecord, of: Named, inventory: RuleInventory): WafReport {
  const { request, messages } = record;
  const inward = scoresIn(messages, 0);
  const outward = scoresIn(messages, 1);
  const found = messages.flatMap((message) => matchIn(message, of, inventory) ?? []);
  const gravest = found.sort(
    (a, b) => b.score - a.score || SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const matches = gravest.slice(0, MAX_WAF_MATCHES);
  const judged = messages.some(refuses);
  const verdict = judged ? (of.mode === 'block' ? 'blocked' : 'detected') : 'scored';
  const code = record.response.http_code;
  return {
    id: idOf(of),
    policy: of.policy,
    ingress: of.ingress,
    route: of.path,
    method: request.method.slice(0, 20),
    host: of.hostname,
    path: (request.uri.split('?', 1)[0] ?? '').toWellFormed().slice(0, 500),
    address: record.client_ip.slice(0, 45),
    request_id: of.request_id,
    status: Number.isInteger(code) && code >= 0 && code <= 599 ? code : 0,
    verdict,
    score_in: sum(inward.slice(0, of.block)),
    score_out: sum(outward.slice(0, of.block)),
    matches,
    matches_left_out: found.length - matches.length,
  };
}

/** The same for the same record: one that is read again is the same event. */
function idOf({ at_ms, request_id, ingress }: Named): string {
  const digest = createHash('sha256').update(`${ingress} ${request_id}`).digest();
  return newId('wafevent', at_ms, (bytes) => digest.copy(bytes));
}

/** Level by level, as our last rule says them: `5/0/0/0 0/0/0/0`. */
function scoresIn(messages: readonly AuditMessage[], which: 0 | 1): readonly number[] {
  const said = messages.findLast(({ details }) => Number(details.ruleId) === SUMMARY)?.message ?? '';
  return (said.split(' ')[which] ?? '').split('/').map((text) => Math.max(0, Math.trunc(Number(text)) || 0));
}

function sum(numbers: readonly number[]): number {
  return Math.min(
    1_000_000,
    numbers.reduce((all, one) => all + one, 0),
  );
}

function refuses({ details }: AuditMessage): boolean {
  const number = ownNumber(Number(details.ruleId));
  return number === undefined ? JUDGES.includes(Number(details.ruleId)) : details.rev === 'block';
}

function matchIn({ message, details }: AuditMessage, { block }: Named, inventory: RuleInventory): WafMatch | undefined {
  const id = Number(details.ruleId);
  const number = ownNumber(id);
  if (id === SUMMARY || !Number.isInteger(id)) return undefined;
  if (number === undefined && isScoringRule(id)) return undefined;
  if (number !== undefined && !isCheck(number) && !isOfOperator(number)) return undefined;
  const known = inventory.of(id);
  const severity = SEVERITIES[Number(details.severity) - 2] ?? 'notice';
  const paranoia = known?.paranoia ?? levelIn(details.tags);
  const isOurs = number !== undefined;
  const points = isOurs ? Number(details.rev) || 0 : paranoia === 0 ? 0 : POINTS[severity];
  return {
    rule: number ?? id,
    name: isOurs && isOfOperator(number) ? message : null,
    message: message.toWellFormed().slice(0, 200),
    severity,
    score: points,
    paranoia,
    counts: paranoia <= block,
    tags: [...(known?.tags ?? details.tags)].slice(0, 20).map((tag) => tag.slice(0, 100)),
    ...found(details, isOurs),
  };
}

function levelIn(tags: readonly string[]): number {
  return tags.flatMap((tag) => /^paranoia-level\/([1-4])$/.exec(tag)?.[1] ?? []).map(Number)[0] ?? 0;
}

/**
 * Where, and what. Both texts have something of the request in them, which may pretend to be more of the text: where that cannot be
 * separated, neither is recorded.
 */
function found({ match, data }: AuditMessage['details'], isOurs: boolean): Pick<WafMatch, 'parameter' | 'fragment'> {
  const named = /' against variable `([^`']{1,200})' \(Value: `/.exec(match)?.[1];
  const within = data.split(' found within ');
  const said = within.length === 2 ? /^([A-Z_]+(?::[^\s:]{1,200})?): /.exec(within[1] ?? '')?.[1] : undefined;
  if (named !== undefined && said !== undefined && named !== said) return { parameter: null, fragment: null };
  const parameter = parameterOf(named ?? said ?? '');
  if (parameter === null) return { parameter, fragment: null };
  const text = isOurs ? undefined : /^Matched Data: ([\s\S]*)$/.exec(within[0] ?? '')?.[1];
  if (text === undefined || within.length !== 2 || mayBeSecret(parameter, text)) return { parameter, fragment: null };
  return { parameter, fragment: text.toWellFormed().slice(0, MAX_WAF_FRAGMENT).toWellFormed() };
}

/** Whether the id of a record is one that a report may have. */
export function isReportable({ policy, ingress }: Pick<WafReport, 'policy' | 'ingress'>): boolean {
  return isId('waf', policy) && isId('ingress', ingress);
}
