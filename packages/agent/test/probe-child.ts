/** `Prober` in a process of its own: what it tries and watches is that of the namespace that a process runs in. */
import { createInterface } from 'node:readline';
import type { Probe } from '@meshwork/contract';
import { openLog } from '../src/host/log.ts';
import { Prober } from '../src/probes/prober.ts';

const [, , flows, ...addresses] = process.argv;
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const prober = new Prober({
  plane: {
    hear: async (peers) => peers.map((peer) => ({ peer, heard: true, took_ms: 1 })),
    doubt: () => 'the table is not there',
    foreign: [],
  },
  settled: () => ({}),
  addresses: () => addresses,
  flows: flows === 'on',
  log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
});
await prober.start();
say({ id: 'ready' });
for await (const line of createInterface({ input: process.stdin })) prober.take([JSON.parse(line) as Probe], say);
await prober.stop();
