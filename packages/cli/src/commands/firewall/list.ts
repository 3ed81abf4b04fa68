import type { FirewallRule } from '@meshwork/contract';
import type { Command } from 'commander';
import { type PagingOptions, printList, withPaging } from '../../listing.ts';
import type { Output } from '../../output.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { table } from '../../table.ts';
import { actionText, trafficText } from './rule-text.ts';

export function firewallList(): Command {
  const command = operationCommand('list', 'firewall.list').addHelpText('after', '\nA rule in brackets is disabled.');
  return withPaging(command).action(async ({ all, ...query }: PagingOptions, self: Command) => {
    const { client, out } = await openSession(self);
    await printList(out, all, {
      page: () => client.call('firewall.list', { query }),
      every: () => client.pages('firewall.list', { query }),
      table: (rules) => ruleTable(rules, out),
    });
  });
}

function ruleTable(rules: readonly FirewallRule[], out: Output): string {
  const rows = rules.map((rule) => [
    String(rule.position),
    rule.id,
    rule.nodes.join(' '),
    trafficText(rule),
    actionText(rule),
    rule.note ?? '-',
  ]);
  return table(['#', 'ID', 'NODES', 'TRAFFIC', 'ACTION', 'NOTE'], rows, (text) => out.strong(text));
}
