import type { AgentConfig } from '@meshwork/agent';
import { Command } from 'commander';
import { type Environment, type GlobalFlags, readEnvironment } from '../../config.ts';
import { Failure } from '../../failure.ts';

/** Every setting of the agent as a flag. Each is its variable, said on the command line. */
const FLAGS = {
  MESH_STATE_DIR: ['--state-dir <folder>', 'state folder of the agent (default: /var/lib/mesh-agent)'],
  MESH_HEALTH_LISTEN: [
    '--health-listen <host:port>',
    'where it serves health and metrics; :port for loopback and the mesh, or off (default: :8080)',
  ],
  MESH_WIREGUARD_PORT: ['--wireguard-port <port>', 'UDP port of WireGuard (default: 51820)'],
  MESH_ROLLBACK_AFTER: [
    '--rollback-after <seconds>',
    'roll a change back if no heartbeat is answered within this time, or off (default: 60)',
  ],
  MESH_ACCEPT_ROUTES: [
    '--accept-routes <which>',
    'routes of the mesh that this machine accepts: all, subnets (no default route) or none (default: subnets)',
  ],
  MESH_PROBES: [
    '--probes <on|off>',
    'whether this machine tries and watches flows for live proofs of the coordinator (default: on)',
  ],
  MESH_NAMES: [
    '--names <dns|hosts>',
    'how this machine resolves names of the mesh: by DNS of the agent, or by /etc/hosts alone (default: dns)',
  ],
  MESH_TLS_GROUP: [
    '--tls-group <group>',
    'group that may read the private key of the node’s certificate, by name or number (default: only root may)',
  ],
  MESH_TLS_RELOAD: [
    '--tls-reload <units>',
    'services to reload when the certificate has changed, such as nginx.service,haproxy.service (default: none)',
  ],
  MESH_LOG_LEVEL: ['--log-level <level>', 'error, warn, info, debug or silent (default: info)'],
  MESH_LOG_FORMAT: ['--log-format <format>', 'json or text (default: json)'],
} as const;
type Variable = keyof typeof FLAGS;

/** A command about the agent of this machine, with a flag for each setting that it needs. */
export function agentCommand(name: string, ...variables: readonly Variable[]): Command {
  const command = new Command(name);
  for (const variable of ['MESH_STATE_DIR', ...variables] as const) {
    const [flag, help] = FLAGS[variable];
    command.option(flag, `${help} (${variable})`);
  }
  return command;
}

interface AgentSettings {
  readonly config: AgentConfig;
  /** For what concerns one command only. */
  readonly environment: Environment;
}

export async function agentSettings(command: Command): Promise<AgentSettings> {
  const environment: Record<string, string | undefined> = {
    ...(await readEnvironment(command.optsWithGlobals<GlobalFlags>())),
  };
  for (const option of command.options) {
    const known = Object.entries(FLAGS).find(([, [flag]]) => flag === option.flags);
    const value: unknown = command.getOptionValue(option.attributeName());
    if (known !== undefined && typeof value === 'string') environment[known[0]] = value;
  }
  const { AgentConfigError, readAgentConfig } = await import('@meshwork/agent');
  try {
    return { config: readAgentConfig(environment), environment };
  } catch (error) {
    if (!(error instanceof AgentConfigError)) throw error;
    const errors = error.problems.map(({ variable, problem }) => ({ pointer: variable, detail: problem }));
    throw new Failure('the configuration is not valid', { exit: 'usage', code: 'configuration', errors, cause: error });
  }
}
