import { resolve } from 'node:path';
import type { Network } from '@meshwork/addresses';
import { ConfigReader, type Environment, type Listen, type TlsFiles } from '@meshwork/service';

export interface CoordinatorConfig {
  readonly data_dir: string;
  readonly store: string;
  readonly listen: Listen;
  readonly tls: TlsFiles | undefined;
  readonly master_key_file: string;
  readonly bootstrap_token_file: string;
  /** Where the panel finds its token. Absent: no panel gets one. */
  readonly panel_token_file: string | undefined;
  /** A second address, inside the mesh. Absent: none. */
  readonly inner: InnerConfig | undefined;
  /** Absent: `/metrics` is served only beside the API, and needs a token there. */
  readonly metrics_listen: Listen | undefined;
  /** Networks that the coordinator may connect to for outside authorities although they are not public. */
  readonly outbound_networks: readonly Network[];
  readonly log_level: string;
}

interface InnerConfig {
  readonly listen: Listen;
  /** The folder of `cert.pem` and `key.pem`. */
  readonly tls_folder: string;
}

/** Where the agent on the same host keeps its certificate. */
const AGENT_TLS = '/var/lib/mesh-agent/tls/current';

/** Reads the coordinator's configuration from environment variables, or throws a `ConfigError` with all that is wrong. */
export function readConfig(env: Environment): CoordinatorConfig {
  const read = new ConfigReader(env);
  const data_dir = resolve(read.text('MESH_DATA_DIR', './data'));
  return read.finish({
    data_dir,
    store: read.store('MESH_STORE', `sqlite:${data_dir}/mesh.db`),
    listen: read.listen('MESH_COORDINATOR_LISTEN', '127.0.0.1:7400'),
    tls: read.tls(),
    master_key_file: resolve(read.text('MESH_MASTER_KEY_FILE', `${data_dir}/master-key`)),
    bootstrap_token_file: resolve(read.text('MESH_BOOTSTRAP_TOKEN_FILE', `${data_dir}/bootstrap-token`)),
    panel_token_file:
      env.MESH_PANEL_TOKEN_FILE === undefined ? undefined : resolve(read.text('MESH_PANEL_TOKEN_FILE', '')),
    inner: readInner(read, env),
    metrics_listen: read.optionalListen('MESH_METRICS_LISTEN'),
    outbound_networks: read.networks('MESH_OUTBOUND_NETWORKS'),
    log_level: read.logLevel(),
  });
}

function readInner(read: ConfigReader, env: Environment): InnerConfig | undefined {
  const listen = read.optionalListen('MESH_INNER_LISTEN');
  const { MESH_INNER_TLS: given } = env;
  if (listen !== undefined) return { listen, tls_folder: resolve(read.text('MESH_INNER_TLS', AGENT_TLS)) };
  if (given !== undefined)
    read.problems.push({ variable: 'MESH_INNER_TLS', problem: 'is for MESH_INNER_LISTEN, which is not set' });
  return undefined;
}
