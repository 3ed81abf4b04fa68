import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AgentConfig } from '../config.ts';
import { isCode } from './atomic-file.ts';
import { CommandError, type RunCommand, runCommand } from './run-command.ts';

/** Something that an agent needs and this machine does not have. */
export interface Lack {
  readonly what: string;
  readonly fix: string;
}

export interface PreflightOptions {
  readonly config: Pick<AgentConfig, 'wireguard_port' | 'health_listen'>;
  /** The interface of the mesh: when it is there and has the port, it is our own of an earlier start. */
  readonly interface: string;
  readonly run?: RunCommand | undefined;
}

/** Everything that is lacking at once, each with what to do about it. Empty: an agent can run. */
export async function preflight(options: PreflightOptions): Promise<Lack[]> {
  const run = options.run ?? runCommand;
  const lacks = await Promise.all([
    mayAdminister(),
    ...['ip', 'nft', 'wg'].map((program) => hasProgram(run, program)),
    hasWireguard(run),
    udpPortFree(run, options),
    healthPortFree(options.config),
  ]);
  return lacks.filter((lack) => lack !== undefined);
}

/** By its number in capabilities(7). */
const CAP_NET_ADMIN = 12n;

export function hasNetAdmin(status: string): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> CAP_NET_ADMIN) & 1n) === 1n;
}

/** The one lack that comes before all others: without it nothing of the machine may be touched, and little can be read. */
export async function mayAdminister(): Promise<Lack | undefined> {
  if (hasNetAdmin(await readFile('/proc/self/status', 'utf8'))) return undefined;
  const fix = 'run it as root, in a container with --cap-add NET_ADMIN, or by its systemd unit';
  return { what: 'it may not change the network (CAP_NET_ADMIN is missing)', fix };
}

const PROGRAMS: Readonly<Record<string, { readonly version: string; readonly package: string }>> = {
  ip: { version: '-Version', package: 'iproute2' },
  nft: { version: '--version', package: 'nftables' },
  wg: { version: '--version', package: 'wireguard-tools' },
  'wireguard-go': { version: '--version', package: 'wireguard-go' },
};

async function hasProgram(run: RunCommand, program: string): Promise<Lack | undefined> {
  const { version, package: name } = PROGRAMS[program] ?? { version: '--version', package: program };
  try {
    await run(program, [version]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { what: error.message, fix: `apt-get install ${name}` };
  }
}

/** Of the kernel, or the one that runs beside it over `/dev/net/tun`. */
async function hasWireguard(run: RunCommand): Promise<Lack | undefined> {
  if (await kernelHasWireguard(run)) return undefined;
  const program = await hasProgram(run, 'wireguard-go');
  if (program !== undefined) return { ...program, what: `the kernel has no WireGuard, and ${program.what}` };
  try {
    await (await open('/dev/net/tun', 'r+')).close();
    return undefined;
  } catch (error) {
    const fix = 'modprobe tun; in a container, --device /dev/net/tun';
    return { what: `the kernel has no WireGuard, and /dev/net/tun cannot be opened (${codeOf(error)})`, fix };
  }
}

/** Only trying says so: the module may be built in, or be loaded by this very question. */
async function kernelHasWireguard(run: RunCommand): Promise<boolean> {
  const probe = `meshp${process.pid}`;
  try {
    await run('ip', ['link', 'add', 'dev', probe, 'type', 'wireguard']);
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
  await run('ip', ['link', 'delete', 'dev', probe]);
  return true;
}

async function udpPortFree(run: RunCommand, { config, ...names }: PreflightOptions): Promise<Lack | undefined> {
  const { wireguard_port: port } = config;
  const socket = createSocket('udp4');
  try {
    socket.bind({ port, exclusive: true });
    await once(socket, 'listening');
    return undefined;
  } catch (error) {
    if (isCode(error, 'EADDRINUSE') && (await portOf(run, names.interface)) === port) return undefined;
    const what = `UDP port ${port}, for WireGuard, cannot be had (${codeOf(error)})`;
    return { what, fix: `\`ss -ulpn 'sport = :${port}'\` shows who has it; or set MESH_WIREGUARD_PORT to another one` };
  } finally {
    socket.close();
  }
}

async function portOf(run: RunCommand, name: string): Promise<number | undefined> {
  try {
    return Number(await run('wg', ['show', name, 'listen-port']));
  } catch (error) {
    if (error instanceof CommandError) return undefined; // there is no such interface
    throw error;
  }
}

async function healthPortFree({ health_listen }: PreflightOptions['config']): Promise<Lack | undefined> {
  if (health_listen === undefined) return undefined;
  const { port } = health_listen;
  const host = health_listen.host ?? '127.0.0.1';
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    await new Promise((resolve) => server.close(resolve));
    return undefined;
  } catch (error) {
    const what = `${host}:${port}, for health and metrics, cannot be had (${codeOf(error)})`;
    return {
      what,
      fix: `\`ss -tlpn 'sport = :${port}'\` shows who has it; or set MESH_HEALTH_LISTEN to another one, or to off`,
    };
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
