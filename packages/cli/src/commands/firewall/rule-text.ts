import type { FirewallRule } from '@meshwork/contract';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';
import { rateText } from './rate.ts';

export function ruleFields(rule: FirewallRule): string {
  return fields([
    ['id', rule.id],
    ['position', `${rule.position}${rule.enabled ? '' : ' (disabled: without effect)'}`],
    ['nodes', rule.nodes.join(', ')],
    ['direction', rule.direction],
    ['interface', rule.interface],
    ['from', rule.from?.join(', ') ?? 'anywhere'],
    ['to', rule.to?.join(', ') ?? 'anywhere'],
    ['protocol', rule.protocol],
    ['ports', rule.ports?.join(', ') ?? 'all'],
    ['action', rule.action],
    ['rate', rule.rate === undefined ? 'without limit' : rateText(rule.rate)],
    ['note', rule.note ?? '-'],
    ['created', `${when(rule.created_at)} by ${rule.created_by.name}`],
  ]);
}

/** The traffic it matches, short enough for a table: `in any tcp 22,80 from 10.0.0.0/8`. */
export function trafficText({ direction, interface: through, protocol, ports, from, to }: FirewallRule): string {
  const words: string[] = [direction, through, protocol];
  if (ports !== undefined) words.push(ports.join(','));
  if (from !== undefined) words.push('from', shortened(from));
  if (to !== undefined) words.push('to', shortened(to));
  return words.join(' ');
}

export function actionText({ action, rate, enabled }: FirewallRule): string {
  const words = rate === undefined ? action : `${action} ${rateText(rate)}`;
  return enabled ? words : `(${words})`;
}

function shortened(networks: readonly string[]): string {
  const [first = '', ...rest] = networks;
  return rest.length === 0 ? first : `${first} +${rest.length}`;
}
