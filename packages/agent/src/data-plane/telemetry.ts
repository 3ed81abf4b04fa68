import { freemem, loadavg, totalmem, uptime } from 'node:os';
import type { Observed } from '@meshwork/contract';
import type { OpenEngine } from '../engines/engine.ts';

type Telemetry = NonNullable<Observed['telemetry']>;

/** Of the host, and what its engines count. */
export function telemetryOf(engines: readonly OpenEngine[]): Telemetry {
  const memory_total_bytes = totalmem();
  const host: Telemetry = {
    uptime_s: Math.floor(uptime()),
    load: loadavg()[0] ?? 0,
    memory_used_bytes: memory_total_bytes - freemem(),
    memory_total_bytes,
    rx_bytes: 0,
    tx_bytes: 0,
  };
  return Object.assign(host, ...engines.map((engine) => engine.telemetry?.()));
}
