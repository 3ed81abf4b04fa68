/** Which field of the form an answer of the coordinator is about. */
import { ApiError } from '@meshwork/client';
import type { TrafficRule } from './traffic-draft.ts';

/** Refusals that are about where clients connect to, and name no field. */
const ABOUT_ADDRESS: readonly string[] = ['already_exists', 'not_owner'];

/** What is wrong at this place or below it. Null: nothing is. */
export function problemAt(error: unknown, pointer: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.errors.find((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`));
  if (found !== undefined) return found.detail;
  const isUnplaced = error.errors.length === 0 && ABOUT_ADDRESS.includes(error.code);
  return isUnplaced && pointer === '/hostname' ? error.detail : null;
}

/** Where a rule stands in the rules on traffic of the API. */
export const RULE_POINTERS: Readonly<Record<TrafficRule, string>> = {
  allow: 'networks/allow',
  deny: 'networks/deny',
  requests: 'limits/requests',
  connections: 'limits/connections',
  by: 'limits/by',
  request_headers: 'request_headers',
  response_headers: 'response_headers',
  max_body: 'max_body_bytes',
  connect_timeout_s: 'connect_timeout_s',
  idle_timeout_s: 'idle_timeout_s',
  compress: 'compress',
};
