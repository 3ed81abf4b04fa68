/**
 * What ModSecurity calls a request: it says by which policy it is judged, and all that a record needs in order to be read when the
 * configuration is another one already. Nothing in it is said by a client.
 */
import { type Expression, joined, withVariables } from '../nginx-text.ts';

interface OfRoute {
  readonly policy: string;
  readonly mode: 'detect' | 'block';
  /** Up to which level matches count. */
  readonly block: number;
  readonly hostname: string;
  readonly ingress: string;
  readonly path: string;
  /** Whether it is inspected at all, comes from a trusted network, and from a denied one: variables that are 1 then. */
  readonly flags: readonly [Expression | 1, Expression | '', Expression | ''];
}

export interface Named extends Omit<OfRoute, 'flags'> {
  readonly at_ms: number;
  readonly request_id: string;
}

export function transactionId({ policy, mode, block, hostname, ingress, path, flags }: OfRoute): Expression {
  const [sampled, trusted, denied] = flags;
  const known = ['', mode, block, hostname, ingress, path, ''].join('|');
  const now = withVariables('$msec|$request_id');
  return joined(policy, '|', sampled, '|', trusted, '|', denied, known, now);
}

/** Fields of the id, as rules look at them. Names of policies are checked before. */
export const FLAGS = { all: '', unsampled: '0\\|', trusted: '1\\|1\\|', denied: '1\\|[^|]*\\|1\\|' } as const;

export function isOfPolicy(policy: string, flag: keyof typeof FLAGS = 'all'): string {
  return `\\A${policy}\\|${FLAGS[flag]}`;
}

export function isOneOfPolicies(policies: readonly string[]): string {
  return `\\A(?:${policies.join('|')})\\|`;
}

export function isOfHost(policy: string, hostname: string): string {
  return `\\A${policy}\\|[^|]*\\|[^|]*\\|[^|]*\\|[^|]*\\|[^|]*\\|${hostname}\\|`;
}

export function namedBy(id: string): Named | undefined {
  const [policy, , , , mode, block, hostname, ingress, path, seconds, request_id, ...more] = id.split('|');
  if (policy === undefined || hostname === undefined || ingress === undefined || path === undefined) return undefined;
  if ((mode !== 'detect' && mode !== 'block') || request_id === undefined || more.length > 0) return undefined;
  const at_ms = Math.round(Number(seconds) * 1000);
  if (!Number.isSafeInteger(at_ms)) return undefined;
  return { policy, mode, block: Number(block), hostname, ingress, path, at_ms, request_id };
}
