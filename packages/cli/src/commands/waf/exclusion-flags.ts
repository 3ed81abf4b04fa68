/** Flags that say where rules are not to look. */
import type { WafExclusionRules } from '@meshwork/contract';
import { Option } from 'commander';
import { wholeNumber } from '../../arguments.ts';
import { usage } from '../../derived/flags.ts';
import { wafParameter } from './exclusion-text.ts';

export interface ExclusionFlags {
  readonly rule?: number;
  readonly tag?: string;
  readonly host?: string;
  readonly path?: string;
  readonly below?: true;
  readonly parameter?: WafExclusionRules['parameter'];
}

export function exclusionOptions(): Option[] {
  return [
    new Option('--rule <number>', 'the rule that is left out: 942100').argParser(wholeNumber).conflicts('tag'),
    new Option('--tag <tag>', 'all rules with this tag instead: attack-sqli'),
    new Option('--host <host>', 'the host name that it is for'),
    new Option('--path <path>', 'the path that it is for, as the service gets it'),
    new Option('--below', 'also for everything below the path'),
    new Option(
      '--parameter <part[:name]>',
      'the part of the request that is not looked at: argument:q, cookie:session (default: the rules do not run at all)',
    ).argParser(wafParameter),
  ];
}

/** One holds somewhere: without host and path it would turn a rule off. */
export function exclusionOf({ rule, tag, host, path, below, parameter }: ExclusionFlags): WafExclusionRules {
  if (rule === undefined && tag === undefined) throw usage('say which rules are left out: --rule or --tag');
  if (host === undefined || path === undefined) throw usage('say where they are left out: --host and --path');
  return {
    rule: rule ?? null,
    tag: tag ?? null,
    host,
    path,
    below: below === true,
    parameter: parameter ?? null,
  };
}

export function isGiven(flags: ExclusionFlags): boolean {
  return [flags.rule, flags.tag, flags.host, flags.path, flags.below, flags.parameter].some((one) => one !== undefined);
}
