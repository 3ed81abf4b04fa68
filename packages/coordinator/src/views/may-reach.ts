import type { NodeId } from '@meshwork/contract';
import { type Allow, parseAllow } from '@meshwork/policy';
import { type Reach, termsBetween } from './reach.ts';

export interface TransportPort {
  readonly transport: 'tcp' | 'udp';
  readonly port: number;
}

/** One list is that of many pairs of nodes, and is asked about again and again. */
const parsed = new WeakMap<readonly string[], readonly Allow[]>();

/** Whether the policy lets one node reach another on a port. A node reaches itself. */
export function mayReach(reach: Reach, from: NodeId, to: NodeId, on: TransportPort): boolean {
  if (from === to) return true;
  const terms = termsBetween(reach, to, from);
  return terms !== undefined && allowsOf(terms.allow).some((allow) => opens(allow, on));
}

function allowsOf(texts: readonly string[]): readonly Allow[] {
  const known = parsed.get(texts);
  if (known !== undefined) return known;
  const allows = texts.flatMap((text) => parseAllow(text) ?? []);
  parsed.set(texts, allows);
  return allows;
}

function opens({ protocol, from, to }: Allow, { transport, port }: TransportPort): boolean {
  return protocol === 'any' || (protocol === transport && from <= port && port <= to);
}
