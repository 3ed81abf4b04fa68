import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canPin } from './pinned.ts';
import { until } from './until.ts';

const TEMP = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** nginx as a person configures it, on one core. */
export class PlainNginx implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #folder: string;

  /** Of the master. */
  get pid(): number {
    return this.#child.pid ?? Number.NaN;
  }

  /** With the configuration that it has. */
  reload(): void {
    this.#child.kill('SIGHUP');
  }

  private constructor(child: ChildProcess, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  /** `http`: what is in its block of this name, made with the folder that it has. `port`: one that it listens on. */
  static async start(
    core: number,
    port: number,
    http: (folder: string) => string,
    modules: readonly string[] = [],
  ): Promise<PlainNginx> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-nginx-'));
    await chmod(folder, 0o755);
    await mkdir(join(folder, 'temp'));
    const paths = TEMP.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n');
    const text = `${modules.map((path) => `load_module ${path};`).join('\n')}
daemon off;
user www-data;
worker_processes auto;
pid ${folder}/pid;
error_log stderr crit;
events { worker_connections 4096; }
http {
${paths}
${http(folder)}
}
`;
    await writeFile(join(folder, 'nginx.conf'), text);
    const command = ['nginx', '-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')];
    const [program = '', ...args] = canPin ? ['taskset', '-c', String(core), ...command] : command;
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    await until(() => isOpen(port), 'nginx takes connections');
    return new PlainNginx(child, folder);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
    await rm(this.#folder, { recursive: true });
  }
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false; // not yet
  } finally {
    socket.destroy();
  }
}
