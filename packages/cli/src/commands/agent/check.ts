import type { AgentConfig } from '@meshwork/agent';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { outputOf } from '../../session.ts';
import { agentCommand, agentSettings } from './agent-settings.ts';

export function agentCheck(): Command {
  return agentCommand('check', 'MESH_HEALTH_LISTEN', 'MESH_WIREGUARD_PORT')
    .description(
      'Check whether this machine has what an agent needs, and how to fix what is missing. While an agent runs, its ports are in use.',
    )
    .action(async (_options: object, command: Command) => {
      const { config } = await agentSettings(command);
      await checkMachine(config);
      await outputOf(command).result({ fit: true }, () => 'this machine has what an agent needs');
    });
}

/** Everything that is lacking at once. */
export async function checkMachine(config: AgentConfig): Promise<void> {
  const { preflight } = await import('@meshwork/agent');
  const lacks = await preflight({ config });
  if (lacks.length === 0) return;
  const errors = lacks.map(({ what, fix }) => ({ pointer: what, detail: `→ ${fix}` }));
  throw new Failure('this machine lacks what an agent needs:', { exit: 'unfit', code: 'unfit', errors });
}
