/** An agent of a test that can be killed: opens a tunnel with the settings on standard input, says so, and waits. */
import { text } from 'node:stream/consumers';
import type { TunnelPeer, TunnelSettings } from '../src/engines/wireguard/tunnel.ts';
import { UserspaceDriver } from '../src/engines/wireguard/userspace-driver.ts';
import { WireguardTunnel } from '../src/engines/wireguard/wireguard-tunnel.ts';
import { startDaemon } from '../src/host/start-daemon.ts';
import { MESH } from './wireguard-places.ts';

interface Input {
  readonly enter: readonly string[];
  readonly socket_folder: string;
  readonly run_folder: string;
  readonly settings: TunnelSettings;
  readonly peers: readonly TunnelPeer[];
}

const { enter, settings, peers, ...folders } = JSON.parse(await text(process.stdin)) as Input;
const [command = '', ...before] = enter;
const driver = new UserspaceDriver({
  interface: MESH,
  ...folders,
  start: (program) => startDaemon({ ...program, command, args: [...before, program.command, ...program.args] }),
});
const tunnel = new WireguardTunnel({ driver });
await tunnel.open(settings);
await tunnel.setPeers(peers);
process.stdout.write('open\n');
setInterval(() => undefined, 60_000);
