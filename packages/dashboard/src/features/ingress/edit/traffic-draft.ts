/**
 * Rules on traffic as the form holds them, each under a name of its own. An ingress has all of them; a path has those that it
 * overrides.
 */
import type { Traffic, TrafficChange } from '@meshwork/contract';
import { DEFAULT_TRAFFIC } from '@meshwork/contract/vocabulary';
import { readSize, sizeText } from '../../../ui/sizes.ts';
import { EMPTY } from './upstream-draft.ts';

export interface HeaderDraft {
  /** Of the row on the page. */
  readonly key: number;
  readonly name: string;
  /** Null: the header is removed. */
  readonly value: string | null;
}

export interface TrafficDraft {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** `count` is EMPTY: there is no limit. */
  readonly requests: { readonly count: number; readonly per: 's' | 'm'; readonly burst: number };
  /** EMPTY: there is no limit. */
  readonly connections: number;
  /** What both limits count by. Undefined: it was not said, which means the address. */
  readonly by: 'address' | 'identity' | undefined;
  readonly request_headers: readonly HeaderDraft[];
  readonly response_headers: readonly HeaderDraft[];
  /** As it is typed: `50 MB`. Empty: any size. */
  readonly max_body: string;
  readonly connect_timeout_s: number;
  readonly idle_timeout_s: number;
  readonly compress: boolean;
}

export type TrafficRule = keyof TrafficDraft;
export type TrafficOverrides = Partial<TrafficDraft>;

export const TRAFFIC_RULES = [
  'allow',
  'deny',
  'requests',
  'connections',
  'by',
  'request_headers',
  'response_headers',
  'max_body',
  'connect_timeout_s',
  'idle_timeout_s',
  'compress',
] as const satisfies readonly TrafficRule[];

/** Ours: a page with its pictures comes at once. */
const FIRST_BURST = 20;

export function draftOfTraffic(traffic: Traffic): TrafficDraft {
  return { ...newTraffic(), by: undefined, ...draftOfOverrides(traffic) };
}

/** What a rule begins with when a path overrides it. */
export function newTraffic(): TrafficDraft {
  const { connect_timeout_s, idle_timeout_s, compress } = DEFAULT_TRAFFIC;
  return {
    ...{ allow: [], deny: [], requests: { count: EMPTY, per: 's', burst: FIRST_BURST }, connections: EMPTY },
    by: 'address',
    ...{ request_headers: [], response_headers: [], max_body: '' },
    ...{ connect_timeout_s, idle_timeout_s, compress },
  };
}

export function draftOfOverrides(traffic: TrafficChange): TrafficOverrides {
  const { networks = {}, limits = {}, request_headers, response_headers, max_body_bytes, ...same } = traffic;
  return {
    ...(networks.allow === undefined ? {} : { allow: networks.allow }),
    ...(networks.deny === undefined ? {} : { deny: networks.deny }),
    ...(limits.requests === undefined ? {} : { requests: draftOfRequests(limits.requests) }),
    ...(limits.connections === undefined ? {} : { connections: limits.connections ?? EMPTY }),
    ...(limits.by === undefined ? {} : { by: limits.by }),
    ...(request_headers === undefined ? {} : { request_headers: keyed(request_headers) }),
    ...(response_headers === undefined ? {} : { response_headers: keyed(response_headers) }),
    ...(max_body_bytes === undefined ? {} : { max_body: max_body_bytes === null ? '' : sizeText(max_body_bytes) }),
    ...same,
  };
}

function draftOfRequests(limit: Traffic['limits']['requests']): TrafficDraft['requests'] {
  if (limit === null) return newTraffic().requests;
  const [count, per] = limit.rate.split('/');
  return { count: Number(count), per: per === 'm' ? 'm' : 's', burst: limit.burst };
}

function keyed(rules: Traffic['request_headers']): readonly HeaderDraft[] {
  return rules.map((rule, key) => ({ ...rule, key }));
}

/** In the order of the API. */
export function trafficOf(draft: TrafficDraft): Traffic {
  const { networks, limits, ...rest } = overridesOf(draft);
  return { ...DEFAULT_TRAFFIC, ...rest, networks: { allow: [], deny: [], ...networks }, limits: whole(limits) };
}

function whole(limits: TrafficChange['limits']): Traffic['limits'] {
  return { ...DEFAULT_TRAFFIC.limits, ...limits };
}

export function overridesOf(draft: TrafficOverrides): TrafficChange {
  const { allow, deny, requests, connections, by, request_headers, response_headers, max_body, ...same } = draft;
  const networks = {
    ...(allow === undefined ? {} : { allow: [...allow] }),
    ...(deny === undefined ? {} : { deny: [...deny] }),
  };
  const limits = {
    ...(requests === undefined ? {} : { requests: requestsOf(requests) }),
    ...(connections === undefined ? {} : { connections: Number.isNaN(connections) ? null : connections }),
    ...(by === undefined ? {} : { by }),
  };
  return {
    ...(Object.keys(networks).length === 0 ? {} : { networks }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(request_headers === undefined ? {} : { request_headers: rulesOf(request_headers) }),
    ...(response_headers === undefined ? {} : { response_headers: rulesOf(response_headers) }),
    ...(max_body === undefined ? {} : { max_body_bytes: max_body.trim() === '' ? null : readSize(max_body) }),
    ...same,
  };
}

function requestsOf({ count, per, burst }: TrafficDraft['requests']): Traffic['limits']['requests'] {
  return Number.isNaN(count) ? null : { rate: `${count}/${per}`, burst };
}

function rulesOf(headers: readonly HeaderDraft[]): Traffic['request_headers'] {
  return headers.map(({ name, value }) => ({ name, value }));
}

export function withHeader(headers: readonly HeaderDraft[]): readonly HeaderDraft[] {
  return [...headers, { key: Math.max(-1, ...headers.map(({ key }) => key)) + 1, name: '', value: '' }];
}

/** What is wrong with a size. Null: nothing that shows here. */
export function sizeProblem(text: string): string | null {
  return text.trim() === '' || readSize(text) !== null ? null : `“${text}” is not a size. Write 50 MB, or bytes.`;
}

/** Whether everything that it needs is there. The coordinator checks the rest. */
export function isCompleteTraffic(draft: TrafficOverrides): boolean {
  const { requests, request_headers = [], response_headers = [], max_body = '' } = draft;
  const { connect_timeout_s = 1, idle_timeout_s = 1 } = draft;
  return (
    [...request_headers, ...response_headers].every(({ name }) => name !== '') &&
    (requests === undefined || Number.isNaN(requests.count) || Number.isFinite(requests.burst)) &&
    sizeProblem(max_body) === null &&
    [connect_timeout_s, idle_timeout_s].every(Number.isFinite)
  );
}
