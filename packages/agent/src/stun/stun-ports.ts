import type { RelaySection } from '@meshwork/contract';

/** Ours: more are of no use. */
const MAX_PORTS = 16;

/** The ports at which a relay answers STUN beside its own, each by itself. */
export function stunPorts({ stun_ports }: Pick<RelaySection, 'stun_ports'>): readonly number[] {
  if (stun_ports === undefined) return [];
  const { first, last } = stun_ports;
  return Array.from({ length: Math.max(0, Math.min(last - first + 1, MAX_PORTS)) }, (_, index) => first + index);
}
