import { Command } from 'commander';
import type { Environment } from './config.ts';

interface ServiceFlag {
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
}

/** Every setting of the coordinator as a flag. Each is its variable, said on the command line. */
const SERVICE_FLAGS: readonly ServiceFlag[] = [
  { flag: '--data-dir <folder>', variable: 'MESH_DATA_DIR', help: 'what the coordinator keeps (default: ./data)' },
  {
    flag: '--store <address>',
    variable: 'MESH_STORE',
    help: 'sqlite:<file> or postgres://…; a password belongs into the environment or a config file, not here',
  },
  {
    flag: '--listen <host:port>',
    variable: 'MESH_COORDINATOR_LISTEN',
    help: 'where to serve the API (default: 127.0.0.1:7400)',
  },
  {
    flag: '--tls-cert <file>',
    variable: 'MESH_TLS_CERT',
    help: 'certificate chain in PEM; with it the API speaks TLS',
  },
  { flag: '--tls-key <file>', variable: 'MESH_TLS_KEY', help: 'private key of the certificate, in PEM' },
  {
    flag: '--master-key-file <file>',
    variable: 'MESH_MASTER_KEY_FILE',
    help: 'the key that seals secrets at rest (default: master-key in the data folder)',
  },
  {
    flag: '--bootstrap-token-file <file>',
    variable: 'MESH_BOOTSTRAP_TOKEN_FILE',
    help: 'where the first owner token is written (default: bootstrap-token in the data folder)',
  },
  {
    flag: '--metrics-listen <host:port>',
    variable: 'MESH_METRICS_LISTEN',
    help: 'serve /metrics there too, without credentials',
  },
  { flag: '--log-level <level>', variable: 'MESH_LOG_LEVEL', help: 'fatal, error, warn, info, debug, trace or silent' },
];

/** A command that runs a service, with a flag for each of its settings. */
export function serviceCommand(name: string): Command {
  const command = new Command(name);
  for (const { flag, variable, help } of SERVICE_FLAGS) command.option(flag, `${help} (${variable})`);
  return command.option('--recover', 'write a new owner token of 24 h, for when every owner token was lost');
}

export function flagsOver(environment: Environment, command: Command): Environment {
  const merged: Record<string, string | undefined> = { ...environment };
  for (const option of command.options) {
    const known = SERVICE_FLAGS.find(({ flag }) => flag === option.flags);
    const value: unknown = command.getOptionValue(option.attributeName());
    if (known !== undefined && typeof value === 'string') merged[known.variable] = value;
  }
  return merged;
}
