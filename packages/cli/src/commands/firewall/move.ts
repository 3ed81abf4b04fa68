import type { FirewallRuleId } from '@meshwork/contract';
import { Command, Option } from 'commander';
import { firewallRuleId } from '../../arguments.ts';
import { Failure } from '../../failure.ts';
import { openSession } from '../../session.ts';
import { sayFindings } from './finding-text.ts';
import { type ForceFlag, forceOption } from './rule-flags.ts';
import { ruleFields } from './rule-text.ts';

interface Options extends ForceFlag {
  readonly before?: FirewallRuleId;
  readonly last?: boolean;
}

export function firewallMove(): Command {
  return new Command('move')
    .description('Give a host rule another place in the order. Earlier rules are asked first.')
    .argument('<id>', 'id of the rule', firewallRuleId)
    .option('--before <id>', 'the rule that it stands before from then on', firewallRuleId)
    .addOption(new Option('--last', 'it stands after all others').conflicts('before'))
    .addOption(forceOption())
    .action(async (id: FirewallRuleId, { before, last, force }: Options, command: Command) => {
      if (before === undefined && last !== true) {
        throw new Failure('say where to: --before ID, or --last', { exit: 'usage', code: 'usage' });
      }
      const { client, out } = await openSession(command);
      const { body } = await client.call('firewall.update', {
        params: { id },
        body: { before: before ?? null, force },
      });
      await out.result(body, () => ruleFields(body));
      sayFindings(out, body.findings);
    });
}
