import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { Command } from 'commander';
import { Failure, reasonOf } from '../../failure.ts';
import { inLab, meantLab, NAME_FLAG, type NameOption, thisProgram } from './in-lab.ts';

export function labExec(): Command {
  return new Command('exec')
    .description('Run a command in a node of a lab, as root there. Ends as the command ends. Needs root.')
    .option(...NAME_FLAG)
    .argument(
      '<node>',
      'a node; also host-1, the host of the first subnet, nat-<node> or nat-<site>, a router, or net, the switch',
    )
    .argument('<command...>', 'what to run; after -- when it has flags that mesh has too')
    .passThroughOptions()
    .allowUnknownOption() // those of the command
    .action(async (node: string, words: string[], option: NameOption) => {
      const [program = '', ...args] = commandOf(words);
      await inLab(async (labs) => {
        const lab = await labs.Lab.open(await meantLab(labs, option), thisProgram());
        const child = lab.place(node).spawn(program, args, { stdio: 'inherit' });
        process.exitCode = await endOf(child, `${program} in ${node}`);
      });
    });
}

/** Without the `--` that may stand before it: how much of it the parser takes depends on the flags before the node. */
export function commandOf(words: readonly string[]): readonly string[] {
  return words[0] === '--' ? words.slice(1) : words;
}

/** The command has the terminal, so Ctrl-C reaches it there. Other signals are forwarded to it. */
async function endOf(child: ChildProcess, what: string): Promise<number> {
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on('error', (error) => {
    reject(new Failure(`${what} cannot be started: ${reasonOf(error)}`, { exit: 'failed', code: 'lab_failed' }));
  });
  child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  return await promise;
}
