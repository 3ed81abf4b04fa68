/** A rule in one line, as one would say it. */
import type { FirewallRule } from '@meshwork/contract';
import { plural } from '../../../ui/plural.ts';

type RuleMeaning = Pick<
  FirewallRule,
  'direction' | 'interface' | 'from' | 'to' | 'protocol' | 'ports' | 'action' | 'rate'
>;

const DIRECTIONS: Readonly<Record<FirewallRule['direction'], string>> = {
  in: 'inbound',
  out: 'outbound',
  forward: 'forwarded',
};

/** `tcp 22, 8000-8999 inbound from 198.51.100.0/24 on eth0, up to 10 new connections per minute`. */
export function ruleWords({ direction, interface: name, from, to, protocol, ports, rate }: RuleMeaning): string {
  return [
    traffic(protocol, ports),
    DIRECTIONS[direction],
    ...(from === undefined ? [] : [`from ${from.join(', ')}`]),
    ...(to === undefined ? [] : [`to ${to.join(', ')}`]),
    name === 'any' ? 'on any interface' : name === 'mesh' ? 'through the mesh' : `on ${name}`,
  ]
    .join(' ')
    .concat(rate === undefined ? '' : `, up to ${rateWords(rate)}`);
}

function traffic(protocol: FirewallRule['protocol'], ports: FirewallRule['ports']): string {
  if (protocol === 'any') return 'Everything';
  return ports === undefined ? `All ${protocol}` : `${protocol} ${ports.join(', ')}`;
}

function rateWords({ count, per, burst }: NonNullable<FirewallRule['rate']>): string {
  const each = `${plural(count, 'new connection')} per ${per}`;
  return burst === undefined ? each : `${each}, burst ${burst}`;
}

/**
 * Findings and refusals name rules as programs do. People know them by their place: `rule-0` of a preview is rule 1, and so
 * is `firewall_…` when it is the first.
 */
export function withPlaces(detail: string, order: readonly string[]): string {
  return detail
    .replace(/\b([Rr])ule rule-(\d+)\b/g, (_, r: string, place: string) => `${r}ule ${Number(place) + 1}`)
    .replace(/\brule-(\d+)\b/g, (_, place: string) => `${Number(place) + 1}`)
    .replace(/\bfirewall_[0-9a-z]{26}\b/g, (id) => (order.includes(id) ? `${order.indexOf(id) + 1}` : id))
    .replace(/\b([Rr])ule new-rule\b/g, (_, r: string) => (r === 'R' ? 'The new rule' : 'the new rule'))
    .replace(/ Send `force` if that is meant\.$/, '');
}
