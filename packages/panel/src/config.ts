import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigReader, type Environment, isLoopback, type Listen, type TlsFiles } from '@meshwork/service';
import { type OidcConfig, readOidc } from './oidc-config.ts';

export interface PanelConfig {
  readonly data_dir: string;
  readonly store: string;
  /** Where in a PostgreSQL database; the coordinator's documents are in another. */
  readonly schema: string;
  readonly listen: Listen;
  readonly tls: TlsFiles | undefined;
  /** Where people find the panel. Absent: where it listens. */
  readonly url: URL | undefined;
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trusted_proxies: readonly string[];
  readonly key_file: string;
  /** Where the panel reaches the coordinator. */
  readonly coordinator_url: string;
  /** What people put into commands, and nodes reach. */
  readonly coordinator_public_url: string;
  /** The coordinator's certificate, to be trusted whatever name it is reached by. Absent: as the system trusts. */
  readonly coordinator_cert_file: string | undefined;
  readonly panel_token_file: string;
  readonly oidc: OidcConfig | undefined;
  readonly metrics_listen: Listen | undefined;
  /** The built dashboard. */
  readonly dashboard_dir: string;
  readonly log_level: string;
}

const PANEL_SCHEMA = 'panel';

/** Reads the panel's configuration from environment variables, or throws a `ConfigError` with all that is wrong. */
export function readConfig(env: Environment): PanelConfig {
  const read = new ConfigReader(env);
  const data_dir = resolve(read.text('MESH_DATA_DIR', './data'));
  const listen = read.listen('MESH_PANEL_LISTEN', '127.0.0.1:7480');
  const tls = read.tls();
  const address = (variable: string, otherwise: string) =>
    read
      .check(variable, read.text(variable, otherwise), readAddress, new URL('http://invalid'))
      .href.replace(/\/$/, '');
  const coordinator_url = address('MESH_COORDINATOR_URL', 'http://127.0.0.1:7400');
  return read.finish({
    data_dir,
    store: read.store('MESH_PANEL_STORE', storeBeside(env.MESH_STORE) ?? `sqlite:${data_dir}/panel.db`),
    schema: PANEL_SCHEMA,
    listen,
    tls,
    url: readUrl(read, env, listen),
    trusted_proxies: read
      .text('MESH_PANEL_TRUSTED_PROXIES', 'none')
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '' && text !== 'none'),
    key_file: resolve(read.text('MESH_PANEL_KEY_FILE', `${data_dir}/panel-key`)),
    coordinator_url,
    coordinator_public_url: address('MESH_COORDINATOR_PUBLIC_URL', coordinator_url),
    coordinator_cert_file:
      env.MESH_COORDINATOR_CERT === undefined ? undefined : resolve(read.text('MESH_COORDINATOR_CERT', '')),
    panel_token_file: resolve(read.text('MESH_PANEL_TOKEN_FILE', `${data_dir}/panel-token`)),
    oidc: readOidc(read, env),
    metrics_listen: read.optionalListen('MESH_PANEL_METRICS_LISTEN'),
    dashboard_dir: resolve(
      read.text('MESH_DASHBOARD_DIR', fileURLToPath(new URL('../../dashboard/dist', import.meta.url))),
    ),
    log_level: read.logLevel(),
  });
}

/** On PostgreSQL the panel shares the coordinator's server; a file it never shares. */
function storeBeside(store: string | undefined): string | undefined {
  return store !== undefined && /^postgres(ql)?:/.test(store) ? store : undefined;
}

function readUrl(read: ConfigReader, env: Environment, listen: Listen): URL | undefined {
  const variable = 'MESH_PANEL_URL';
  if (env[variable] !== undefined) {
    return read.check(variable, read.text(variable, ''), readOrigin, new URL('http://invalid'));
  }
  if (!isLoopback(listen.host) && ['0.0.0.0', '::'].includes(listen.host)) {
    const problem =
      'is missing; say where people reach the panel, such as https://mesh.example.com, since it listens everywhere';
    read.problems.push({ variable, problem });
  }
  return undefined;
}

function readAddress(text: string): URL | string {
  const url = URL.parse(text);
  const isGood =
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === '';
  return isGood ? url : 'must be an address such as https://mesh.example.com:7400';
}

function readOrigin(text: string): URL | string {
  const url = readAddress(text);
  if (typeof url === 'string') return url;
  return url.pathname === '/' ? url : 'must be an address without a path: the panel has its host to itself';
}
