/** How a service reads its configuration: it reports all problems at once, each with the variable's name. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { exactNetwork, type Network } from '@meshwork/addresses';

export interface Listen {
  readonly host: string;
  readonly port: number;
}

export interface TlsFiles {
  readonly cert_file: string;
  readonly key_file: string;
}

export interface ConfigProblem {
  readonly variable: string;
  readonly problem: string;
}

/** Lists all problems at once, so that an operator fixes the configuration in one go. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(({ variable, problem }) => `${variable} ${problem}`).join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Gathers values from an environment, and with them whatever is wrong there. */
export class ConfigReader {
  readonly problems: ConfigProblem[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  text(variable: string, otherwise: string): string {
    const given = this.#env[variable];
    if (given === '') this.problems.push({ variable, problem: 'is empty; leave it out for the default' });
    return given ?? otherwise;
  }

  /** `read` returns the value, or a text that says what is wrong. */
  check<T>(variable: string, value: string, read: (value: string) => T | string, bad: T): T {
    const result = read(value);
    if (typeof result !== 'string') return result;
    this.problems.push({ variable, problem: result });
    return bad;
  }

  listen(variable: string, otherwise: string): Listen {
    return this.check(variable, this.text(variable, otherwise), readListen, NOWHERE);
  }

  /** Undefined when it is not given. */
  optionalListen(variable: string): Listen | undefined {
    const given = this.#env[variable];
    return given === undefined ? undefined : this.check(variable, given, readListen, NOWHERE);
  }

  /** Networks with commas between them. None when it is not given. */
  networks(variable: string): readonly Network[] {
    const given = this.#env[variable];
    return given === undefined ? [] : this.check(variable, given, readNetworks, []);
  }

  store(variable: string, otherwise: string): string {
    return this.check(variable, this.text(variable, otherwise), readStore, { address: '' }).address;
  }

  logLevel(): string {
    return this.check('MESH_LOG_LEVEL', this.text('MESH_LOG_LEVEL', 'info'), readLevel, { level: '' }).level;
  }

  tls(): TlsFiles | undefined {
    return readTls(this.#env, this.problems);
  }

  /** The configuration, frozen; or a `ConfigError` with all that is wrong. */
  finish<T extends object>(config: T): T {
    if (this.problems.length > 0) throw new ConfigError(this.problems);
    return Object.freeze(config);
  }
}

const NOWHERE: Listen = { host: '', port: 0 };

function readStore(address: string): { address: string } | string {
  if (address.startsWith('sqlite:') && address.length > 'sqlite:'.length) return { address };
  if (/^postgres(ql)?:\/\//.test(address)) {
    return URL.canParse(address) ? { address } : 'is not a valid postgres:// address'; // never repeated: it may hold a password
  }
  return 'must be sqlite:<file> or postgres://user@host/database';
}

function readListen(address: string): Listen | string {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(address);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535)
    return `is "${address}", but must be host:port, such as 127.0.0.1:7400 or [::1]:7400`;
  return { host: match[1] ?? match[2] ?? '', port };
}

function readNetworks(text: string): readonly Network[] | string {
  const networks: Network[] = [];
  for (const part of text.split(',').map((one) => one.trim())) {
    const network = exactNetwork(part);
    if (network === undefined) return `names "${part}", which is no network, such as 10.0.0.0/8 or fd00::/8`;
    networks.push(network);
  }
  return networks;
}

function readLevel(level: string): { level: string } | string {
  return LOG_LEVELS.includes(level) ? { level } : `is "${level}", but must be one of ${LOG_LEVELS.join(', ')}`;
}

function readTls(env: Environment, problems: ConfigProblem[]): TlsFiles | undefined {
  const { MESH_TLS_CERT: cert_file, MESH_TLS_KEY: key_file } = env;
  const read = <T>(variable: string, file: string | undefined, parse: (file: string) => T): T | undefined => {
    try {
      return file === undefined ? undefined : parse(file);
    } catch (error) {
      problems.push({ variable, problem: `names ${file}, ${error instanceof Error ? error.message : String(error)}` });
      return undefined;
    }
  };
  const cert = read('MESH_TLS_CERT', cert_file, readCertificate);
  const key = read('MESH_TLS_KEY', key_file, readKey);
  if (cert_file === undefined && key_file === undefined) return undefined;
  if (cert_file === undefined || key_file === undefined) {
    const [missing, given] =
      cert_file === undefined ? ['MESH_TLS_CERT', 'MESH_TLS_KEY'] : ['MESH_TLS_KEY', 'MESH_TLS_CERT'];
    problems.push({ variable: missing, problem: `is missing; ${given} needs it beside it` });
    return undefined;
  }
  if (cert !== undefined && key !== undefined && !cert.checkPrivateKey(key)) {
    problems.push({ variable: 'MESH_TLS_KEY', problem: `names ${key_file}, which is not the key of ${cert_file}` });
  }
  return { cert_file: resolve(cert_file), key_file: resolve(key_file) };
}

function readCertificate(file: string): X509Certificate {
  const text = readText(file);
  return explained('which is not a certificate in PEM', () => new X509Certificate(text));
}

/** A group may read it, as is usual where one is made for that (mode 640, `ssl-cert`); anyone at all may not. */
function readKey(file: string): KeyObject {
  const text = readText(file);
  const { mode } = statSync(file);
  if ((mode & 0o007) !== 0) {
    throw new Error(`which is open to others (mode ${(mode & 0o777).toString(8)}); make it 600 or 640`);
  }
  return explained('which is not a private key in PEM without a passphrase', () => createPrivateKey(text));
}

function readText(file: string): string {
  return explained('which cannot be read', () => readFileSync(file, 'utf8'));
}

function explained<T>(meaning: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new Error(`${meaning}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
