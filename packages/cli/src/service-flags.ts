import { Command } from 'commander';
import type { Environment } from './config.ts';

interface ServiceFlag {
  readonly flag: string;
  readonly variable: string;
  readonly help: string;
}

type ServiceName = 'coordinator' | 'panel';

/** Every setting of both services as a flag. Each is its variable, said on the command line. */
const SHARED: readonly ServiceFlag[] = [
  { flag: '--data-dir <folder>', variable: 'MESH_DATA_DIR', help: 'data folder (default: ./data)' },
  {
    flag: '--store <address>',
    variable: 'MESH_STORE',
    help: 'sqlite:<file> or postgres://…; set a password in the environment or a config file, not here',
  },
  {
    flag: '--tls-cert <file>',
    variable: 'MESH_TLS_CERT',
    help: 'certificate chain in PEM; enables TLS',
  },
  { flag: '--tls-key <file>', variable: 'MESH_TLS_KEY', help: 'private key of the certificate, in PEM' },
  {
    flag: '--panel-token-file <file>',
    variable: 'MESH_PANEL_TOKEN_FILE',
    help: 'the token of the panel: the coordinator writes it, the panel reads it',
  },
  { flag: '--log-level <level>', variable: 'MESH_LOG_LEVEL', help: 'fatal, error, warn, info, debug, trace or silent' },
];

const OWN: Readonly<Record<ServiceName, readonly ServiceFlag[]>> = {
  coordinator: [
    {
      flag: '--listen <host:port>',
      variable: 'MESH_COORDINATOR_LISTEN',
      help: 'where to serve the API (default: 127.0.0.1:7400)',
    },
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
      flag: '--inner-listen <host:port>',
      variable: 'MESH_INNER_LISTEN',
      help: 'serve the API there too, over TLS by the certificate of the agent on this host',
    },
    {
      flag: '--inner-tls <folder>',
      variable: 'MESH_INNER_TLS',
      help: 'where that agent keeps its certificate (default: /var/lib/mesh-agent/tls/current)',
    },
    {
      flag: '--metrics-listen <host:port>',
      variable: 'MESH_METRICS_LISTEN',
      help: 'serve /metrics there too, without credentials',
    },
    {
      flag: '--outbound-networks <networks>',
      variable: 'MESH_OUTBOUND_NETWORKS',
      help: 'networks that are not public and where outside authorities may be, such as 10.0.0.0/8,fd00::/8',
    },
  ],
  panel: [
    {
      flag: '--panel-listen <host:port>',
      variable: 'MESH_PANEL_LISTEN',
      help: 'where to serve the panel (default: 127.0.0.1:7480)',
    },
    {
      flag: '--panel-url <url>',
      variable: 'MESH_PANEL_URL',
      help: 'where people find the panel (default: where it listens)',
    },
    {
      flag: '--panel-store <address>',
      variable: 'MESH_PANEL_STORE',
      help: 'people and sessions (default: panel.db in the data folder, or beside the coordinator on PostgreSQL)',
    },
    {
      flag: '--panel-key-file <file>',
      variable: 'MESH_PANEL_KEY_FILE',
      help: 'the key that seals the panel’s secrets (default: panel-key in the data folder)',
    },
    {
      flag: '--panel-metrics-listen <host:port>',
      variable: 'MESH_PANEL_METRICS_LISTEN',
      help: 'serve the panel’s /metrics there too, without credentials',
    },
    {
      flag: '--trusted-proxies <addresses>',
      variable: 'MESH_PANEL_TRUSTED_PROXIES',
      help: 'proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas',
    },
    {
      flag: '--coordinator-url <url>',
      variable: 'MESH_COORDINATOR_URL',
      help: 'where the panel reaches the coordinator (default: http://127.0.0.1:7400)',
    },
    {
      flag: '--coordinator-public-url <url>',
      variable: 'MESH_COORDINATOR_PUBLIC_URL',
      help: 'where people and nodes reach the coordinator (default: the same)',
    },
    {
      flag: '--coordinator-cert <file>',
      variable: 'MESH_COORDINATOR_CERT',
      help: 'the coordinator’s certificate, to be trusted whatever its name',
    },
    {
      flag: '--dashboard-dir <folder>',
      variable: 'MESH_DASHBOARD_DIR',
      help: 'the built dashboard (default: the included one)',
    },
    { flag: '--oidc-issuer <url>', variable: 'MESH_OIDC_ISSUER', help: 'OpenID Connect provider for sign-in' },
    { flag: '--oidc-client-id <id>', variable: 'MESH_OIDC_CLIENT_ID', help: 'client id of the panel at the provider' },
    {
      flag: '--oidc-client-secret-file <file>',
      variable: 'MESH_OIDC_CLIENT_SECRET_FILE',
      help: 'file with the client secret',
    },
    { flag: '--oidc-name <name>', variable: 'MESH_OIDC_NAME', help: 'label of the provider on the sign-in page' },
    {
      flag: '--oidc-groups-claim <name>',
      variable: 'MESH_OIDC_GROUPS_CLAIM',
      help: 'claim that lists the groups of a person (default: groups)',
    },
    {
      flag: '--oidc-roles <rules>',
      variable: 'MESH_OIDC_ROLES',
      help: 'group=role or group=role@team/surface/environment, separated by commas; the first that fits counts',
    },
  ],
};

const ALL_FLAGS: readonly ServiceFlag[] = [...SHARED, ...OWN.coordinator, ...OWN.panel];

/** A command that runs services, with a flag for each of their settings. */
export function serviceCommand(name: string, services: readonly ServiceName[]): Command {
  const command = new Command(name);
  for (const { flag, variable, help } of [...SHARED, ...services.flatMap((service) => OWN[service])]) {
    command.option(flag, `${help} (${variable})`);
  }
  if (services.includes('coordinator')) {
    command.option('--recover', 'write a new owner token of 24 h, for when every owner token was lost');
  }
  if (services.includes('panel')) {
    command.option(
      '--recover-owner <name>',
      'print a link that makes this person an owner, for when no owner can sign in',
    );
  }
  return command;
}

export function flagsOver(environment: Environment, command: Command): Environment {
  const merged: Record<string, string | undefined> = { ...environment };
  for (const option of command.options) {
    const known = ALL_FLAGS.find(({ flag }) => flag === option.flags);
    const value: unknown = command.getOptionValue(option.attributeName());
    if (known !== undefined && typeof value === 'string') merged[known.variable] = value;
  }
  return merged;
}
