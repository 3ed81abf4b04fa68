import { freemem, loadavg, totalmem, uptime } from 'node:os';
import type { Observed } from '@meshwork/contract';
import type { SeenTunnel } from '../engines/wireguard/tunnel.ts';

/** How the node does, and how much went through the mesh. */
export function telemetryOf(tunnel: SeenTunnel | undefined): NonNullable<Observed['telemetry']> {
  const memory_total_bytes = totalmem();
  let rx_bytes = 0;
  let tx_bytes = 0;
  for (const peer of tunnel?.peers.values() ?? []) {
    rx_bytes += peer.rx_bytes;
    tx_bytes += peer.tx_bytes;
  }
  return {
    uptime_s: Math.floor(uptime()),
    load: loadavg()[0] ?? 0,
    memory_used_bytes: memory_total_bytes - freemem(),
    memory_total_bytes,
    rx_bytes,
    tx_bytes,
  };
}
