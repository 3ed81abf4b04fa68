/** Which packets a rule of nftables can match, as far as its JSON says so with certainty. What is not understood limits nothing. */
import {
  DEFAULT_ROUTE,
  enclosingNetwork,
  type Family,
  type Network,
  parseAddress,
  readNetwork,
} from '@meshwork/addresses';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { isRecord } from './nft-json.ts';

export interface RuleScope {
  /** Absent: any. */
  readonly iif?: readonly string[];
  readonly oif?: readonly string[];
  /** Whether `iif` or `oif` says "any but the interface of the mesh". */
  readonly not_iif?: boolean;
  readonly not_oif?: boolean;
  readonly from?: readonly Network[];
  readonly to?: readonly Network[];
  readonly protocols?: readonly string[];
  readonly ports?: readonly string[];
  /** Whether it matches only packets that belong to no connection that makes sense. */
  readonly isInvalidOnly?: boolean;
  /** Whether it matches only packets of connections that were let through before. */
  readonly isEstablished?: boolean;
  /** Whether every condition was understood: then all packets within the scope do match. */
  readonly isExact: boolean;
}

export const ANY_PACKET: RuleScope = { isExact: true };

export interface Match {
  readonly op: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** The scope with one more condition. */
export function narrowed(scope: RuleScope, { op, left, right }: Match): RuleScope {
  const values = valuesOf(right);
  const unknown = { ...scope, isExact: false };
  const meta = field(left, 'meta', 'key');
  if (meta !== undefined) return byMeta(scope, meta, op, values) ?? unknown;
  if (field(left, 'ct', 'key') === 'state') return byState(scope, op, values) ?? unknown;
  const [protocol, name] = [field(left, 'payload', 'protocol'), field(left, 'payload', 'field')];
  if (protocol === undefined || name === undefined) return unknown;
  return byHeader(scope, { protocol, name, op, values });
}

function byMeta(scope: RuleScope, key: string, op: string, values: Values): RuleScope | undefined {
  const side = { iifname: 'iif', iif: 'iif', oifname: 'oif', oif: 'oif' }[key];
  if (side === 'iif' || side === 'oif') {
    const names = values?.map(String);
    if (names === undefined) return undefined;
    if (isEqual(op)) return { ...scope, [side]: names, isExact: scope.isExact && scope[side] === undefined };
    if (op !== '!=') return undefined;
    return names.some(isMeshName) ? { ...scope, [`not_${side}`]: true } : scope;
  }
  if (key === 'l4proto' && isEqual(op) && values !== undefined) return withProtocols(scope, values);
  if (key === 'nfproto' && isEqual(op) && values?.length === 1) return withFamily(scope, String(values[0]));
  return undefined;
}

const FAMILY_NUMBERS: ReadonlyMap<string, Family> = new Map([
  ...['ip', 'ipv4'].map((name) => [name, 4] as const),
  ...['ip6', 'ipv6'].map((name) => [name, 6] as const),
]);

export function withFamily(scope: RuleScope, family: string): RuleScope {
  const number = FAMILY_NUMBERS.get(family);
  if (number === undefined) return scope;
  const network = readNetwork(DEFAULT_ROUTE[number]);
  return { ...scope, to: scope.to ?? [network], from: scope.from ?? [network] };
}

function byState(scope: RuleScope, op: string, values: Values): RuleScope | undefined {
  if (!isEqual(op) || values === undefined) return undefined;
  if (values.every((value) => value === 'invalid')) return { ...scope, isInvalidOnly: true, isExact: false };
  const isEstablished = values.includes('established');
  return { ...scope, isEstablished, isExact: false };
}

interface HeaderMatch {
  readonly protocol: string;
  readonly name: string;
  readonly op: string;
  readonly values: Values;
}

function byHeader(scope: RuleScope, { protocol, name, op, values }: HeaderMatch): RuleScope {
  const unknown = { ...scope, isExact: false };
  const transport = PROTOCOL_NAMES.get(protocol);
  const within = transport === undefined ? scope : withProtocols(scope, [protocol]);
  if (!isEqual(op) || values === undefined) return { ...within, isExact: false };
  if (protocol === 'ip' || protocol === 'ip6') {
    if (name === 'protocol' || name === 'nexthdr') return withProtocols(withFamily(scope, protocol), values);
    if (name !== 'saddr' && name !== 'daddr') return unknown;
    const networks = values.map(networkOf);
    const known = networks.filter((one) => one !== undefined);
    if (known.length < networks.length) return { ...withFamily(scope, protocol), isExact: false };
    return name === 'saddr' ? { ...scope, from: known } : { ...scope, to: known };
  }
  if (name === 'dport' && ['tcp', 'udp', 'th'].includes(protocol)) {
    const ports = values.map(portOf);
    return ports.some((port) => port === undefined)
      ? { ...within, isExact: false }
      : { ...within, ports: ports.filter((port) => port !== undefined) };
  }
  return { ...within, isExact: false };
}

/** What the wire calls them. */
const PROTOCOL_NAMES: ReadonlyMap<unknown, string> = new Map([
  ...(['tcp', 6] as const).map((one) => [one, 'tcp'] as const),
  ...(['udp', 17] as const).map((one) => [one, 'udp'] as const),
  ...(['icmp', 'icmpv6', 'ipv6-icmp', 1, 58] as const).map((one) => [one, 'icmp'] as const),
]);

/** Others are kept by the names that they have, and are none of the mesh's. */
function withProtocols(scope: RuleScope, values: readonly unknown[]): RuleScope {
  return { ...scope, protocols: [...new Set(values.map((value) => PROTOCOL_NAMES.get(value) ?? String(value)))] };
}

/** Undefined: a named set, a map, or something else whose content is not in the rule. */
type Values = readonly unknown[] | undefined;

function valuesOf(right: unknown): Values {
  if (typeof right === 'string') return right.startsWith('@') ? undefined : [right];
  if (typeof right === 'number') return [right];
  if (Array.isArray(right)) return right;
  if (!isRecord(right)) return undefined;
  if (Array.isArray(right.set)) return right.set;
  return 'prefix' in right || 'range' in right ? [right] : undefined;
}

function networkOf(value: unknown): Network | undefined {
  if (typeof value === 'string')
    return parseAddress(value) === undefined ? enclosingNetwork(value) : readNetwork(value);
  if (!isRecord(value) || !isRecord(value.prefix)) return undefined;
  return enclosingNetwork(`${value.prefix.addr}/${value.prefix.len}`);
}

function portOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (!isRecord(value) || !Array.isArray(value.range)) return undefined;
  return value.range.every((end) => typeof end === 'number') ? value.range.join('-') : undefined;
}

/** `in` is what nftables says where flags are compared, as of the state of a connection. */
function isEqual(op: string): boolean {
  return op === '==' || op === 'in';
}

/** With `*` at the end: all that begin so. */
export function isMeshName(name: string): boolean {
  return name.endsWith('*') ? MESH_INTERFACE.startsWith(name.slice(0, -1)) : name === MESH_INTERFACE;
}

function field(left: unknown, kind: string, name: string): string | undefined {
  const part = isRecord(left) ? left[kind] : undefined;
  const value = isRecord(part) ? part[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}
