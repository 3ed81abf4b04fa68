import type { FirewallRuleId } from '@meshwork/contract';
import type { Command } from 'commander';
import { firewallRuleId } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { ruleFields } from './rule-text.ts';

export function firewallShow(): Command {
  return operationCommand('show', 'firewall.show')
    .argument('<id>', 'id of the rule', firewallRuleId)
    .action(async (id: FirewallRuleId, _options: object, command: Command) => {
      const { client, out } = await openSession(command);
      const { body } = await client.call('firewall.show', { params: { id } });
      await out.result(body, () => ruleFields(body));
    });
}
