/** How gateways reach a service, as the form holds it. */
import type { Upstream } from '@meshwork/contract';
import type { IngressKind } from '../ingress-kinds.ts';

export interface UpstreamDraft {
  readonly protocol: Upstream['protocol'];
  readonly balance: string;
  /** As people type them, and as `mesh ingress set --weight` takes them: `node:web-3=5`. */
  readonly weights: readonly string[];
  /** Empty: there is no canary. */
  readonly canary: string;
  readonly percent: number;
  readonly proxy_protocol: boolean;
  readonly check: Upstream['check'];
}

/** Ours: few enough that a bad version hurts few people. */
const FIRST_PERCENT = 5;
/** An empty field of a number is not a number until it is filled. */
export const EMPTY = Number.NaN;

export function draftOfUpstream({
  protocol,
  balance,
  weights,
  canary,
  proxy_protocol,
  check,
}: Upstream): UpstreamDraft {
  return {
    protocol,
    balance,
    weights: weights.map(({ nodes, weight }) => `${nodes}=${weight}`),
    canary: canary?.service ?? '',
    percent: canary?.percent ?? FIRST_PERCENT,
    proxy_protocol,
    check,
  };
}

export function upstreamOf(draft: UpstreamDraft): Upstream {
  const { protocol, balance, weights, canary, percent, proxy_protocol, check } = draft;
  return {
    protocol,
    balance,
    weights: weights.map((text) => ({ nodes: text.slice(0, text.lastIndexOf('=')), weight: weightIn(text) })),
    canary: canary === '' ? null : { service: canary, percent },
    proxy_protocol,
    check,
  };
}

function weightIn(text: string): number {
  const [, share] = /^.+=(\d{1,3})$/.exec(text) ?? [];
  return share === undefined ? EMPTY : Number(share);
}

/** What is wrong with the weights. Null: nothing that shows here. */
export function weightsProblem(weights: readonly string[]): string | null {
  const wrong = weights.find((text) => !(weightIn(text) <= 100));
  return wrong === undefined ? null : `“${wrong}” is not a weight. Write node:web-3=5, from 0 to 100.`;
}

export const BALANCE_KINDS = [
  'round_robin',
  'least_connections',
  'hash:address',
  'hash:path',
  'hash:header',
  'hash:cookie',
] as const;
export type BalanceKind = (typeof BALANCE_KINDS)[number];

/** `hash:cookie:session` is by the cookie `session`. The name is null where the kind needs none. */
export function partsOfBalance(balance: string): { readonly kind: BalanceKind; readonly name: string | null } {
  const [, hash, name] = /^(hash:(?:header|cookie)):(.*)$/.exec(balance) ?? [];
  const kind = BALANCE_KINDS.find((one) => one === (hash ?? balance)) ?? 'round_robin';
  return { kind, name: name ?? null };
}

export function balanceOf(kind: BalanceKind, name: string): string {
  return kind === 'hash:header' || kind === 'hash:cookie' ? `${kind}:${name}` : kind;
}

type Check = Upstream['check'];

function isGrpc(protocol: Upstream['protocol']): boolean {
  return protocol === 'grpc' || protocol === 'grpcs';
}

/** The checks that find out something about such a service. */
export function checksFor(kind: IngressKind, protocol: Upstream['protocol']): readonly Check['kind'][] {
  if (kind !== 'http') return ['tcp', 'none'];
  return isGrpc(protocol) ? ['tcp', 'http', 'grpc', 'none'] : ['tcp', 'http', 'none'];
}

/** What becomes of a check with another protocol: only a gRPC service answers a check by gRPC. */
export function checkFor(protocol: Upstream['protocol'], check: Check): Check {
  return check.kind === 'grpc' && !isGrpc(protocol) ? { ...check, kind: 'tcp' } : check;
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isCompleteUpstream({ balance, weights, canary, percent, check }: UpstreamDraft): boolean {
  const { interval_s, timeout_s, rise, fall, path, status } = check;
  const numbers = [interval_s, timeout_s, rise, fall, ...(canary === '' ? [] : [percent])];
  return (
    partsOfBalance(balance).name !== '' &&
    weightsProblem(weights) === null &&
    path !== '' &&
    status !== '' &&
    numbers.every(Number.isFinite)
  );
}
