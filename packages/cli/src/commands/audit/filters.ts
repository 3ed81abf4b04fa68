import { type Command, Option } from 'commander';
import { moment } from '../../moment.ts';

/** What both reading and exporting the trail can be narrowed by. */
export interface AuditFilters {
  readonly actor?: string;
  readonly token?: string;
  readonly action?: string;
  readonly target?: string;
  readonly from?: string;
  readonly to?: string;
  readonly outcome?: 'done' | 'refused';
}

export function withFilters(command: Command): Command {
  return command
    .addOption(new Option('--actor <id>', 'only what this one did').conflicts('token'))
    .option('--token <id>', 'only what was done with this token (an id, never a secret)')
    .option('--action <action>', 'only this action, such as tokens.revoke')
    .option('--target <id>', 'only what was done to this')
    .option('--from <when>', 'not before: a timestamp, or a duration back from now such as 2h', moment('back'))
    .option('--to <when>', 'before: a timestamp, or a duration back from now', moment('back'))
    .addOption(new Option('--outcome <outcome>', 'only these').choices(['done', 'refused']));
}
