import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StateFolder } from '@meshwork/agent';
import type { Command } from 'commander';
import { ask, needsTerminal } from '../../ask.ts';
import { Failure } from '../../failure.ts';
import { outputOf } from '../../session.ts';
import { agentCommand, agentSettings } from './agent-settings.ts';
import { withStateFolder } from './state.ts';

interface Options {
  readonly forget?: boolean;
  readonly yes?: boolean;
}

export function agentReset(): Command {
  return agentCommand('reset')
    .description(
      'Remove everything that the agent created on this machine: interface, routes, packet filter, names, certificate.',
    )
    .option('--forget', 'delete the identity too: this machine is no longer a node of the mesh')
    .option('--yes', 'do not ask')
    .addHelpText('after', '\nThe mesh still knows the node afterwards. `mesh node remove` ends it there.')
    .action(async ({ forget = false, yes = false }: Options, command: Command) => {
      const { config } = await agentSettings(command);
      if (!yes) await confirm(forget);
      const { removeDataPlane } = await import('@meshwork/agent');
      await withStateFolder(config.state_dir, 'conflict', async (folder) => {
        await removeDataPlane(folder.path);
        if (forget) await forgetIdentity(folder);
      });
      const result = { removed: true, forgotten: forget };
      await outputOf(command).result(result, () =>
        forget ? 'removed and forgotten' : 'removed; the identity is kept',
      );
    });
}

async function confirm(forget: boolean): Promise<void> {
  needsTerminal('mesh agent reset --yes');
  const what = forget ? 'leave the mesh and forget its keys' : 'leave the mesh until its agent starts again';
  if ((await ask(`This machine will ${what}. Continue? [y/N] `)).trim().toLowerCase() === 'y') return;
  throw new Failure('nothing was changed', { exit: 'failed', code: 'not_confirmed' });
}

/** All files but the lock, which is held. Also works on files that are damaged: that is what it is for. */
async function forgetIdentity({ path }: StateFolder): Promise<void> {
  const { STATE_FILES } = await import('@meshwork/agent');
  const ours = Object.values(STATE_FILES).filter((name) => name !== STATE_FILES.lock);
  const names = (await readdir(path)).filter((name) =>
    ours.some((file) => name === file || name.startsWith(`${file}.`)),
  );
  for (const name of names) await rm(join(path, name), { force: true, recursive: true });
}
