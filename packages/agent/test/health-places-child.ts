/** Serves health where an agent would. Each line that comes in has the addresses of the node in the mesh, as JSON. */
import { createInterface } from 'node:readline';
import { systemClock } from '@meshwork/time';
import { readAgentConfig } from '../src/config.ts';
import { AgentMetrics } from '../src/health/agent-metrics.ts';
import { HealthPlaces } from '../src/health/health-places.ts';
import { serveHealth } from '../src/health/health-server.ts';
import { healthSnapshot } from './health-snapshot.ts';

const now = () => Date.now();
const source = { look: () => healthSnapshot(now()) };
const warn = (problem: string) => void process.stderr.write(`${problem}\n`);
const places = await HealthPlaces.open({
  listen: readAgentConfig(process.env).health_listen ?? { host: null, port: 8080 },
  serve: (listen) => serveHealth({ listen, source, metrics: new AgentMetrics(source, now), warn }),
  clock: systemClock,
  warn,
});
for await (const line of createInterface({ input: process.stdin })) places.follow(JSON.parse(line) as string[]);
await places.close();
