import type { FirewallRuleId } from '@meshwork/contract';
import type { Command } from 'commander';
import { firewallRuleId } from '../../arguments.ts';
import { confirmRemoval, withYes, type YesFlag } from '../../confirm.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { type ForceFlag, forceOption } from './rule-flags.ts';

export function firewallDelete(): Command {
  return withYes(operationCommand('delete', 'firewall.delete'))
    .argument('<id>', 'id of the rule', firewallRuleId)
    .addOption(forceOption())
    .action(async (id: FirewallRuleId, { force, ...options }: ForceFlag & YesFlag, command: Command) => {
      const { client, out } = await openSession(command);
      await confirmRemoval(options, `deleting rule ${id}`, () => `Rule ${id} stops holding on all nodes it names.`);
      await client.call('firewall.delete', { params: { id }, query: { force } });
      await out.result({ id, deleted: true }, () => `deleted ${id}`);
    });
}
