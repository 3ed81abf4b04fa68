import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AgentConfig } from '../config.ts';
import { ENGINES } from '../engines/engines.ts';
import { codeOf, type Lack } from '../host/lack.ts';
import { type RunCommand, runCommand } from '../host/run-command.ts';

interface PreflightOptions {
  readonly config: Pick<AgentConfig, 'wireguard_port' | 'health_listen'>;
  readonly run?: RunCommand | undefined;
}

/** Everything that is lacking at once, each with what to do about it. Empty: an agent can run. */
export async function preflight({ config, run = runCommand }: PreflightOptions): Promise<Lack[]> {
  const { wireguard_port } = config;
  const lacks = await Promise.all([
    mayAdminister(),
    ...ENGINES.map((engine) => engine.lacks({ wireguard_port, run })),
    healthPortFree(config),
  ]);
  return lacks.flat().filter((lack) => lack !== undefined);
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
