/** How npm is set up on this machine, so that an npm in a fresh root reaches the same registry in the same way. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Of npm's own settings only those that say how a registry is reached. */
const SETTINGS = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'] as const;
const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'] as const;

export interface OuterNpm {
  readonly cache: string;
  /** For the environment of an npm elsewhere. */
  readonly env: Readonly<Record<string, string>>;
  /** Files with the certificates that npm trusts beyond its own. */
  readonly certificates: readonly string[];
}

export async function readOuterNpm(): Promise<OuterNpm> {
  const config = JSON.parse(await npm(['config', 'list', '--json'])) as Readonly<Record<string, unknown>>;
  const settings = SETTINGS.flatMap((name) => {
    const value = config[name];
    const isSet = value !== null && value !== undefined && value !== '';
    return isSet ? [[`npm_config_${name.replaceAll('-', '_')}`, String(value)] as const] : [];
  });
  const variables = VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const certificates = new Set(
    [config.cafile, process.env.NODE_EXTRA_CA_CERTS].filter((file) => typeof file === 'string' && file !== ''),
  );
  return {
    cache: String(config.cache),
    env: Object.fromEntries([...settings, ...variables]),
    certificates: [...certificates].map(String),
  };
}

/** Installs packages of exact versions into a folder, without anything of the folder we are in. */
export async function installInto(folder: string, specifiers: readonly string[]): Promise<void> {
  await npm(
    ['install', '--prefix', folder, '--prefer-offline', '--no-save', '--ignore-scripts', ...specifiers],
    folder,
  );
}

async function npm(args: readonly string[], cwd?: string): Promise<string> {
  // Without what an npm around us has set: its settings are for this repository.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  const { stdout } = await promisify(execFile)('npm', [...args], { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}
