/** Settings of the agent on its machine. What it is in the mesh is its identity, and not here: see `identity/`. */
import { resolve } from 'node:path';
import { exactNetwork, formatNetwork } from '@meshwork/addresses';
import { ACCEPT_ROUTES, type AcceptRoutes } from '@meshwork/policy/routes';

export interface HealthListen {
  /** Null: loopback, and the addresses of the node in the mesh. */
  readonly host: string | null;
  readonly port: number;
}

/** Who on this host uses the node's certificate. */
export interface TlsSettings {
  /** The group that may read the private key, by name or number. Absent: root alone may. */
  readonly group: string | undefined;
  /** Units of systemd that read the files anew when they have changed. */
  readonly reload: readonly string[];
}

/** For a node that runs a relay. */
export interface RelaySettings {
  /** Shared with coturn, which runs as another user. */
  readonly folder: string;
  /** Files with the certificate that it shows over TLS, for a relay whose certificate is `public`. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** For a node that is a gateway. */
export interface GatewaySettings {
  /** Shared with nginx, which runs as another user. */
  readonly folder: string;
  readonly http_port: number;
  readonly https_port: number;
  /** Networks of load balancers in front of it, which put the PROXY protocol before every connection. Empty: there are none. */
  readonly proxy_protocol: readonly string[];
  readonly waf: WafSettings;
}

/** For a gateway that inspects requests. */
interface WafSettings {
  /** Where the Core Rule Set is: a release, or as Debian's package has it. */
  readonly rules: string;
  /** A MaxMind DB of countries. Absent: policies that name countries are not served. */
  readonly countries: string | undefined;
}

/** `dns`: the agent answers DNS, and has the host ask it. `hosts`: names of nodes stand in `/etc/hosts`. */
const NAMES_BY = ['dns', 'hosts'] as const;
export type NamesBy = (typeof NAMES_BY)[number];

export interface AgentConfig {
  readonly state_dir: string;
  /** Absent: health is not served. */
  readonly health_listen: HealthListen | undefined;
  /** UDP, of WireGuard. */
  readonly wireguard_port: number;
  /** A change after which no heartbeat is answered for so long is rolled back. 0: never. */
  readonly rollback_after_s: number;
  /** Which routes this host takes. Absent: as set at enrolment, else subnets and no default route. */
  readonly accept_routes: AcceptRoutes | undefined;
  /** Whether flows are tried and watched at the request of the coordinator. */
  readonly probes: boolean;
  /** Who on this host uses the certificate of the node. */
  readonly tls: TlsSettings;
  readonly relay: RelaySettings;
  readonly gateway: GatewaySettings;
  /** How names of the mesh are resolved on this host. */
  readonly names: NamesBy;
  readonly log_level: LogLevel;
  readonly log_format: 'json' | 'text';
}

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_FORMATS = ['json', 'text'] as const;
const SWITCH = ['on', 'off'] as const;

interface AgentConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** Names everything that is wrong at once. */
export class AgentConfigError extends Error {
  override readonly name = 'AgentConfigError';
  readonly problems: readonly AgentConfigProblem[];

  constructor(problems: readonly AgentConfigProblem[]) {
    super(problems.map(({ variable, problem }) => `${variable} ${problem}`).join('\n'));
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readAgentConfig(env: Environment): AgentConfig {
  const problems: AgentConfigProblem[] = [];
  const read = <T>(variable: string, otherwise: string, meaning: (text: string) => T | undefined, rule: string) => {
    const text = env[variable] ?? otherwise;
    const value = meaning(text);
    if (value === undefined) problems.push({ variable, problem: `is ${JSON.stringify(text)}, and must be ${rule}` });
    return value as T; // thrown below when it is none
  };
  const file = (variable: string) => (env[variable] === undefined ? undefined : read(variable, '', folder, 'a file'));
  const config: AgentConfig = {
    state_dir: read('MESH_STATE_DIR', '/var/lib/mesh-agent', folder, 'a folder'),
    health_listen: read('MESH_HEALTH_LISTEN', ':8080', listen, 'host:port, :port, or off')?.at,
    wireguard_port: read('MESH_WIREGUARD_PORT', '51820', port, 'a port from 1 to 65535'),
    rollback_after_s: read('MESH_ROLLBACK_AFTER', '60', seconds, 'whole seconds from 1 to 3600, or off'),
    accept_routes:
      env.MESH_ACCEPT_ROUTES === undefined
        ? undefined
        : read('MESH_ACCEPT_ROUTES', '', oneOf(ACCEPT_ROUTES), `one of ${ACCEPT_ROUTES.join(', ')}`),
    probes: read('MESH_PROBES', 'on', oneOf(SWITCH), 'on or off') === 'on',
    tls: {
      group: env.MESH_TLS_GROUP === undefined ? undefined : read('MESH_TLS_GROUP', '', group, GROUP_RULE),
      reload: read('MESH_TLS_RELOAD', '', units, 'units such as nginx.service, with commas between them'),
    },
    relay: {
      folder: read('MESH_RELAY_DIR', '/run/mesh-relay', folder, 'a folder'),
      certificate: file('MESH_RELAY_CERTIFICATE'),
      key: file('MESH_RELAY_KEY'),
    },
    gateway: {
      folder: read('MESH_GATEWAY_DIR', '/run/mesh-gateway', folder, 'a folder'),
      http_port: read('MESH_GATEWAY_HTTP_PORT', '80', port, 'a port from 1 to 65535'),
      https_port: read('MESH_GATEWAY_HTTPS_PORT', '443', port, 'a port from 1 to 65535'),
      proxy_protocol: read('MESH_GATEWAY_PROXY_PROTOCOL', '', networks, NETWORKS_RULE),
      waf: {
        rules: read('MESH_WAF_RULES', '/usr/share/modsecurity-crs', folder, 'a folder'),
        countries:
          env.MESH_WAF_COUNTRIES === undefined ? undefined : read('MESH_WAF_COUNTRIES', '', plainPath, PATH_RULE),
      },
    },
    names: read('MESH_NAMES', 'dns', oneOf(NAMES_BY), `one of ${NAMES_BY.join(', ')}`),
    log_level: read('MESH_LOG_LEVEL', 'info', oneOf(LOG_LEVELS), `one of ${LOG_LEVELS.join(', ')}`),
    log_format: read('MESH_LOG_FORMAT', 'json', oneOf(LOG_FORMATS), `one of ${LOG_FORMATS.join(', ')}`),
  };
  if (problems.length > 0) throw new AgentConfigError(problems);
  return Object.freeze(config);
}

function folder(text: string): string | undefined {
  return text === '' ? undefined : resolve(text);
}

function port(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= 65_535 ? number : undefined;
}

function seconds(text: string): number | undefined {
  if (text === 'off') return 0;
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  return number <= 3600 ? number : undefined;
}

function listen(text: string): { at: HealthListen | undefined } | undefined {
  if (text === 'off') return { at: undefined };
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const number = Number(match?.[3]);
  return host === undefined || number > 65_535 ? undefined : { at: { host: host === '' ? null : host, port: number } };
}

const PATH_RULE = 'a path of letters, digits, ".", "_" and "-"';

/** It is written into the rules of the engine, where these characters mean nothing. */
function plainPath(text: string): string | undefined {
  return /^(?:\/[A-Za-z0-9_.-]+)+$/.test(text) ? text : undefined;
}

const GROUP_RULE = 'the name or the number of a group';

/** As `groupadd` takes names. Whether there is such a group shows when it is used: it may be made later. */
function group(text: string): string | undefined {
  const isNumber = /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 - 1; // the last one means none
  return isNumber || /^[a-z_][a-z0-9_-]{0,31}$/.test(text) ? text : undefined;
}

/** They become arguments of `systemctl`: none may begin like an option, nor be a pattern that means several units. */
function units(text: string): readonly string[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  if (names.length === 1 && names[0] === '') return [];
  const isSound = (name: string) => name.length <= 255 && /^[A-Za-z0-9_][A-Za-z0-9_.:@\\-]*\.service$/.test(name);
  return names.every(isSound) ? [...new Set(names)] : undefined;
}

const NETWORKS_RULE = 'networks such as 10.0.0.0/24, with commas between them and no bit set behind the prefix';

function networks(text: string): readonly string[] | undefined {
  if (text.trim() === '') return [];
  const read = text.split(',').map((network) => exactNetwork(network.trim()));
  return read.every((network) => network !== undefined) ? [...new Set(read.map(formatNetwork))] : undefined;
}

function oneOf<const T extends string>(known: readonly T[]): (text: string) => T | undefined {
  return (text) => known.find((one) => one === text);
}
