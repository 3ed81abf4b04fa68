import type { FirewallRule } from '@meshwork/contract';
import { type Command, Option } from 'commander';
import { type Rate, rate } from './rate.ts';

export const DIRECTIONS = ['in', 'out', 'forward'] as const satisfies FirewallRule['direction'][];
export const PROTOCOLS = ['any', 'tcp', 'udp', 'icmp'] as const satisfies FirewallRule['protocol'][];
export const ACTIONS = ['accept', 'drop', 'log'] as const satisfies FirewallRule['action'][];

/** What both a new rule and a change of one can say. */
export interface RuleFlags {
  readonly nodes?: string[];
  readonly direction?: FirewallRule['direction'];
  readonly interface?: string;
  readonly from?: string[] | false;
  readonly to?: string[] | false;
  readonly protocol?: FirewallRule['protocol'];
  readonly ports?: string[] | false;
  readonly action?: FirewallRule['action'];
  readonly rate?: Rate | false;
  readonly note?: string | false;
}

export interface ForceFlag {
  readonly force?: boolean;
}

/** `needed`: a new rule, which cannot do without some of them. */
export function withRuleFlags(command: Command, needed: boolean): Command {
  const must = (option: Option) => option.makeOptionMandatory(needed);
  return command
    .addOption(must(new Option('--nodes <selectors...>', 'who it holds for: "*", tag:role:git, node:git-1')))
    .addOption(must(new Option('--direction <direction>', 'who opens the flow').choices(DIRECTIONS)))
    .addOption(must(new Option('--action <action>', 'what becomes of it').choices(ACTIONS)))
    .option('--interface <name>', `mesh, any or the name of an interface${needed ? ' (default: any)' : ''}`)
    .addOption(new Option('--protocol <protocol>', `which one${needed ? ' (default: any)' : ''}`).choices(PROTOCOLS))
    .option('--ports <ports...>', 'destination ports of tcp and udp: 22, 8000-8999')
    .option('--from <networks...>', 'networks of the side that opens the flow')
    .option('--to <networks...>', 'networks of the other side')
    .option('--rate <rate>', 'new flows at most, such as 10/minute, or 10/minute:20 for 20 at once', rate)
    .option('--note <text>', 'for people');
}

export function forceOption(): Option {
  return new Option('--force', 'even if it cuts agents off from the coordinator or from their peers');
}
