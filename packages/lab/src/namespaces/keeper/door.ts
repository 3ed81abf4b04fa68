import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, Server, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { LabError } from '../lab-error.ts';
import type { KeeperTask } from './keeper-messages.ts';

const PROGRAM = fileURLToPath(new URL('./door-process.ts', import.meta.url));

/**
 * The way from the lab to the coordinator, which listens where namespaces do not reach. A socket belongs to the namespace it
 * was made in, wherever it is used: so a short-lived child listens inside and hands its sockets to us outside, and we pass
 * on what comes in through them. The host's network stays as it is.
 */
export async function openDoor({
  net,
  door,
  coordinator,
}: Pick<KeeperTask, 'net' | 'door' | 'coordinator'>): Promise<readonly Server[]> {
  const child = spawn('ip', ['netns', 'exec', net, process.execPath, PROGRAM, JSON.stringify(door)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const servers: Server[] = [];
  child.on('message', (_message, server) => {
    if (!(server instanceof Server)) return;
    server.on('connection', (inside: Socket) => passOn(inside, coordinator));
    servers.push(server);
    if (servers.length === door.hosts.length) child.kill('SIGKILL'); // it has nothing left to do
  });
  await once(child, 'close');
  if (servers.length === door.hosts.length) return servers;
  throw new LabError('failed', `cannot listen in ${net} for the coordinator: ${said.trim()}`);
}

function passOn(inside: Socket, { host, port }: { readonly host: string; readonly port: number }): void {
  const outside = connect({ host, port });
  inside.setNoDelay(true);
  outside.setNoDelay(true);
  // How the one side ended is how the other does: a coordinator that is not there refuses.
  inside.on('error', () => outside.resetAndDestroy());
  outside.on('error', () => inside.resetAndDestroy());
  inside.on('close', () => outside.destroy());
  outside.on('close', () => inside.destroy());
  inside.pipe(outside).pipe(inside);
}
