/**
 * A finder in a process of its own, to be run in a network namespace. Its arguments are the relay and WireGuard's port. It does what standard input
 * says, a word a line, and answers each with a line of JSON: `probe` asks from WireGuard's port, `take` keeps that port as
 * WireGuard would, `look` looks.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { EndpointFinder } from '../src/endpoints/endpoint-finder.ts';
import type { Relay } from '../src/endpoints/relay-view.ts';

const port = Number(process.argv[3]);
const finder = new EndpointFinder({ port, changed: () => undefined });
finder.setRelays([JSON.parse(process.argv[2] ?? '') as Relay]);
const wireguard = createSocket('udp4');

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  probe: () => finder.probeBeforeStart(),
  take: () => once(wireguard.bind(port), 'listening'),
  look: () => finder.look(),
};

for await (const word of createInterface({ input: process.stdin })) {
  const result = await STEPS[word]?.();
  const mapped = word === 'probe' ? result : undefined;
  const { endpoints, relays, problem } = finder;
  process.stdout.write(`${JSON.stringify({ mapped, endpoints, relays, problem })}\n`);
}
wireguard.close();
await finder.stop();
