import type { Joined } from '@meshwork/agent';
import type { Command } from 'commander';
import type { GlobalFlags } from '../../config.ts';
import { outputOf } from '../../session.ts';
import { abortOnSignal } from '../../signals.ts';
import { fields } from '../../table.ts';
import { agentCommand, agentSettings } from './agent-settings.ts';
import { join } from './join.ts';
import { withStateFolder } from './state.ts';
import { joinRequest, service, type WantedNode } from './wanted-node.ts';

export function agentEnroll(): Command {
  return agentCommand('enroll', 'MESH_ACCEPT_ROUTES')
    .description(
      'Enrol this machine as a node of a mesh. On an enrolled machine it shows which node it is; an interrupted enrolment is resumed.',
    )
    .option('--coordinator <urls>', 'where the coordinator is; several with commas between them (MESH_COORDINATOR)')
    .option('--name <name>', 'its name in the mesh (default: that of the host)')
    .option('--tag <tags...>', 'what it is, such as role:git')
    .option(
      '--service <name:protocol:port>',
      'what it offers, such as git-ssh:tcp:22; may be given more than once',
      service,
    )
    .option('--route <networks...>', 'networks that it offers to forward to, such as 10.20.0.0/16')
    .option('--pin <pins...>', 'trust the coordinator by its key: sha256:…, as `mesh up` prints it')
    .option('--ca-file <file>', 'trust certificates of this authority only, in PEM')
    .option('--insecure-http', 'send credentials unencrypted; not needed for loopback addresses')
    .addHelpText('after', ENROLL_HELP)
    .action(async (wanted: WantedNode, command: Command) => {
      const { config, environment } = await agentSettings(command);
      const flags = command.optsWithGlobals<GlobalFlags>();
      const { accept_routes } = config;
      const request = await joinRequest({ ...wanted, accept_routes }, { environment, flags, signal: abortOnSignal() });
      const joined = await withStateFolder(config.state_dir, 'conflict', (folder) => join(folder, request));
      const { node, name } = joined.identity.enrolled;
      const result = { node, name, state: joined.state ?? null, how: joined.how, state_dir: config.state_dir };
      await outputOf(command).result(result, () => joinedText(joined));
    });
}

const ENROLL_HELP = `
The enrolment token comes from --token-file or MESH_ENROLL_TOKEN. It is used once, and not kept: the
node has a key of its own from then on.`;

function joinedText({ identity, how, state }: Joined): string {
  const { node, name } = identity.enrolled;
  const next =
    state === 'pending'
      ? `have it approved: mesh node approve ${name}; it can be started already`
      : 'start the agent: systemctl enable --now mesh-agent, or mesh agent run';
  return fields([
    ['node', node],
    ['name', name],
    ['state', how === 'already' ? 'was enrolled before; nothing was changed' : (state ?? 'enrolled')],
    ['coordinator', identity.coordinators.join(', ')],
    ['next', next],
  ]);
}
