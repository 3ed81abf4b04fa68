import type { FirewallRuleId } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { firewallRuleId } from '../../arguments.ts';
import { Failure } from '../../failure.ts';
import { operationCommand } from '../../program.ts';
import { openSession } from '../../session.ts';
import { sayFindings } from './finding-text.ts';
import { type ForceFlag, forceOption, type RuleFlags, withRuleFlags } from './rule-flags.ts';
import { ruleFields } from './rule-text.ts';

interface Options extends RuleFlags, ForceFlag {
  readonly enabled?: boolean;
  readonly disabled?: boolean;
}

export function firewallChange(): Command {
  return withRuleFlags(
    operationCommand('change', 'firewall.update')
      .summary('Change a host rule')
      .description('Change a host rule: only what is named. `mesh firewall move` gives it another place.')
      .argument('<id>', 'id of the rule', firewallRuleId),
    false,
  )
    .option('--no-ports', 'all ports again')
    .option('--no-from', 'from anywhere again')
    .option('--no-to', 'to anywhere again')
    .option('--no-rate', 'without a limit again')
    .option('--no-note', 'without a note')
    .option('--enabled', 'put it into effect')
    .addOption(new Option('--disabled', 'keep it without effect').conflicts('enabled'))
    .addOption(forceOption())
    .action(async (id: FirewallRuleId, { force, ...options }: Options, command: Command) => {
      const { enabled, disabled, ports, from, to, rate, note, ...rest } = options;
      if (Object.keys(options).length === 0) {
        throw new Failure('say what to change, such as --ports 22 or --disabled', { exit: 'usage', code: 'usage' });
      }
      const { client, out } = await openSession(command);
      const { body } = await client.call('firewall.update', {
        params: { id },
        body: {
          ...rest,
          ports: orGone(ports),
          from: orGone(from),
          to: orGone(to),
          rate: orGone(rate),
          note: orGone(note),
          enabled: disabled === true ? false : enabled,
          force,
        },
      });
      await out.result(body, () => ruleFields(body));
      sayFindings(out, body.findings);
    });
}

/** `--no-…` is null in a merge patch: it takes away what may be absent. */
function orGone<T>(given: T | false | undefined): T | null | undefined {
  return given === false ? null : given;
}
