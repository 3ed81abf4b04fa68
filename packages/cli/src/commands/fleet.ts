import type { FleetStats } from '@meshwork/lab';
import { Command, Option } from 'commander';
import { seconds, wholeNumber } from '../arguments.ts';
import { type GlobalFlags, readConnection } from '../config.ts';
import { Failure } from '../failure.ts';
import { hintFor } from '../hints.ts';
import { screenOf } from '../output.ts';
import { outputOf } from '../session.ts';
import { abortOnSignal } from '../signals.ts';
import { fields } from '../table.ts';

interface Options {
  readonly nodes: number;
  readonly tag?: string[];
  readonly teamSize?: number;
  readonly churn?: number;
  readonly fail?: number;
  readonly stormEvery?: number;
  readonly state?: string;
  readonly prefix?: string;
  readonly name?: string;
}

export function fleet(): Command {
  return new Command('fleet')
    .description('Enrol a fleet of simulated nodes and keep it running, to try a mesh of any size on one machine.')
    .option('--nodes <count>', 'how many', wholeNumber, 10)
    .option('--tag <tags...>', 'tags of each of them, such as role:sim')
    .option('--team-size <count>', 'nodes in each team', wholeNumber)
    .option('--churn <count>', 'changes a minute: nodes that move, join and leave', wholeNumber)
    .option('--fail <count>', 'how many of them misbehave', wholeNumber)
    .option('--storm-every <duration>', 'drop all connections this often, such as 5m', seconds)
    .option('--state <file>', 'keep their identities in this file, and start as the same nodes next time')
    .option('--prefix <name>', 'what their names begin with')
    .addOption(new Option('--name <name>', 'a single one, of exactly this name').conflicts(['nodes', 'prefix']))
    .addHelpText(
      'after',
      '\nEach is a real agent with real heartbeats, and a data plane that changes nothing. Ctrl-C stops it: its nodes\ngo offline, and stay enrolled.',
    )
    .action(async (options: Options, command: Command) => {
      const out = outputOf(command);
      const { url, token, unasked_token_file, warning } = await readConnection(command.optsWithGlobals<GlobalFlags>());
      if (token === undefined) {
        const hint = hintFor('credentials_missing');
        const message = 'a token that may enrol nodes is needed';
        throw new Failure(message, { exit: 'refused', code: 'credentials_missing', ...(hint && { hint }) });
      }
      if (warning !== undefined) out.notice(warning);
      if (unasked_token_file !== undefined) out.notice(`using the bootstrap token in ${unasked_token_file}`);
      const { runFleet } = await import('@meshwork/lab');
      const stats = await runFleet(
        {
          url,
          token,
          nodes: options.name === undefined ? options.nodes : 1,
          tags: options.tag,
          team_size: options.teamSize,
          churn_per_min: options.churn,
          fail: options.fail,
          storm_every_s: options.stormEvery,
          state_file: options.state,
          prefix: options.prefix,
          name: options.name,
        },
        { screen: screenOf(out), signal: abortOnSignal() },
      );
      await out.result(stats, () => statsText(stats));
    });
}

function statsText(stats: FleetStats): string {
  const errors = Object.entries(stats.errors).map(([name, count]): [string, string] => [name, String(count)]);
  return fields([
    ['nodes', String(stats.nodes)],
    ['active', String(stats.active)],
    ['heartbeats', String(stats.answers + stats.superseded)],
    ['changes', String(stats.deliveries)],
    ...errors,
  ]);
}
