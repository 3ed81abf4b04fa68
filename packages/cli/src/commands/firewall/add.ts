import type { FirewallRule, FirewallRuleId } from '@meshwork/contract';
import type { Command } from 'commander';
import { firewallRuleId } from '../../arguments.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { sayFindings } from './finding-text.ts';
import type { Rate } from './rate.ts';
import { type ForceFlag, forceOption, withRuleFlags } from './rule-flags.ts';
import { ruleFields } from './rule-text.ts';

interface Options extends ForceFlag {
  readonly nodes: string[];
  readonly direction: FirewallRule['direction'];
  readonly action: FirewallRule['action'];
  readonly interface?: string;
  readonly protocol?: FirewallRule['protocol'];
  readonly from?: string[];
  readonly to?: string[];
  readonly ports?: string[];
  readonly rate?: Rate;
  readonly note?: string;
  readonly disabled?: boolean;
  readonly before?: FirewallRuleId;
}

export function firewallAdd(): Command {
  return withRuleFlags(operationCommand('add', 'firewall.create'), true)
    .option('--disabled', 'keep it without effect for now')
    .option('--before <id>', 'the rule that it stands before (default: it stands last)', firewallRuleId)
    .addOption(forceOption())
    .action(async ({ disabled, ...options }: Options, command: Command) => {
      const { client, out } = await openSession(command);
      const enabled = disabled === true ? false : undefined;
      const { body } = await client.call('firewall.create', {
        body: { interface: 'any', protocol: 'any', ...options, enabled },
      });
      await out.result(body, () => ruleFields(body));
      sayFindings(out, body.findings);
    });
}
