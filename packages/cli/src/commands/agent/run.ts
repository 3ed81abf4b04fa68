import type { EnrolledIdentity, StateFolder } from '@meshwork/agent';
import type { Command } from 'commander';
import type { Environment, GlobalFlags } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { abortOnSignal } from '../../signals.ts';
import { agentCommand, agentSettings } from './agent-settings.ts';
import { checkMachine } from './check.ts';
import { join } from './join.ts';
import { withStateFolder } from './state.ts';
import { joinRequest } from './wanted-node.ts';

export function agentRun(): Command {
  return agentCommand(
    'run',
    'MESH_HEALTH_LISTEN',
    'MESH_WIREGUARD_PORT',
    'MESH_ROLLBACK_AFTER',
    'MESH_ACCEPT_ROUTES',
    'MESH_PROBES',
    'MESH_NAMES',
    'MESH_TLS_GROUP',
    'MESH_TLS_RELOAD',
    'MESH_LOG_LEVEL',
    'MESH_LOG_FORMAT',
  )
    .description(
      'Run the agent of this machine until a signal stops it. Traffic continues after it stops, and while it restarts.',
    )
    .addHelpText('after', RUN_HELP)
    .action(async (_options: object, command: Command) => {
      const { config, environment } = await agentSettings(command);
      const signal = abortOnSignal();
      const { mayAdminister, openLog, runAgent } = await import('@meshwork/agent');
      // Before anything is opened or made: what `mesh agent check` says is the reason, and not the first thing that fails.
      if ((await mayAdminister()) !== undefined) await checkMachine(config);
      const log = openLog(config, process.stderr);
      const ending = await withStateFolder(config.state_dir, 'gone', async (folder) => {
        await checkMachine(config);
        const flags = command.optsWithGlobals<GlobalFlags>();
        const identity = await identityOf(folder, { environment, flags, signal });
        return await runAgent({ config, folder, identity, log, signal });
      });
      if (ending.reason === 'stopped') process.exit(0); // whatever idle connections or timers are left
      const hint = 'to enrol this machine again: mesh agent reset --forget, then mesh agent enroll';
      throw new Failure(ending.detail, { exit: 'gone', code: `node_${ending.reason}`, hint });
    });
}

const RUN_HELP = `
A machine that is not enrolled yet is enrolled first when MESH_COORDINATOR and MESH_ENROLL_TOKEN are
set, which is how containers join.`;

interface Circumstances {
  readonly environment: Environment;
  readonly flags: Pick<GlobalFlags, 'tokenFile'>;
  readonly signal: AbortSignal;
}

async function identityOf(folder: StateFolder, circumstances: Circumstances): Promise<EnrolledIdentity> {
  const { isEnrolled, loadIdentity } = await import('@meshwork/agent');
  const found = await loadIdentity(folder.path);
  if (found !== undefined && isEnrolled(found)) return found;
  const { environment, flags } = circumstances;
  if (!environment.MESH_COORDINATOR || !(environment.MESH_ENROLL_TOKEN || flags.tokenFile)) {
    const message = `this machine is not enrolled: there is no node in ${folder.path}`;
    throw new Failure(message, { exit: 'usage', code: 'not_enrolled', hint: 'mesh agent enroll --help' });
  }
  const request = await joinRequest({}, circumstances);
  // An interrupted enrolment is resumed with its first parameters.
  const { identity } = await join(
    folder,
    found === undefined ? request : { ...request, wish: found.wish, trust: found.trust },
  );
  return identity;
}
