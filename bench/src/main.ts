/**
 * Speed, as ratios measured side by side in one run: `npm run bench`, or `npm run bench -- http commits`.
 * Prints a table and writes `bench/results/<time>.json`. Nothing here is asserted; a machine is not a promise.
 */

import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Row } from './measure.ts';
import { canPin, LOAD_CORE } from './pinned.ts';
import { printTable } from './print-table.ts';
import { agentSuite } from './suites/agent.ts';
import { caSuite } from './suites/ca.ts';
import { carrierSuite } from './suites/carrier.ts';
import { commitsSuite } from './suites/commits.ts';
import { explainSuite } from './suites/explain.ts';
import { heartbeatsSuite } from './suites/heartbeats.ts';
import { httpSuite } from './suites/http.ts';
import { ingressSuite, PARTS } from './suites/ingress.ts';
import { ingressServedSuite } from './suites/ingress-served.ts';
import { meshSuite } from './suites/mesh.ts';
import { namesSuite } from './suites/names.ts';
import { observationsSuite } from './suites/observations.ts';
import { pathsSuite } from './suites/paths.ts';
import { policySuite } from './suites/policy.ts';
import { reconcileSuite } from './suites/reconcile.ts';
import { repairSuite } from './suites/repair.ts';
import { selfCheckSuite } from './suites/self-check.ts';
import { sizeSuite } from './suites/size.ts';
import { stormSuite } from './suites/storm.ts';
import { tunnelSuite } from './suites/tunnel.ts';
import { wafSuite } from './suites/waf.ts';
import { waitingSuite } from './suites/waiting.ts';

interface Suite {
  readonly title: string;
  readonly run: () => Promise<Row[]>;
  /** Of another one: run only when it is named. */
  readonly is_part?: boolean;
}

const INGRESS = 'Ingress: a gateway against nginx by hand, one core';
const PARTS_OF_INGRESS = Object.fromEntries(
  PARTS.map((part) => [`ingress/${part}`, { title: INGRESS, run: () => ingressSuite([part]), is_part: true }]),
);

const SUITES: Readonly<Record<string, Suite>> = {
  http: { title: 'Over HTTP, one core', run: httpSuite },
  commits: { title: 'Durable changes', run: commitsSuite },
  observations: { title: 'Observations, outside commits', run: observationsSuite },
  size: { title: 'A large mesh', run: sizeSuite },
  heartbeats: { title: 'Heartbeats, one core', run: heartbeatsSuite },
  waiting: { title: 'Agents that wait', run: waitingSuite },
  policy: { title: 'Policies', run: policySuite },
  explain: { title: 'Explanations, one core', run: explainSuite },
  'self-check': { title: 'The mesh checks its own explanations', run: selfCheckSuite },
  tunnel: { title: 'Between two real nodes', run: tunnelSuite },
  mesh: { title: 'A real mesh, as people wait for it', run: meshSuite },
  carrier: { title: 'Relayed links', run: carrierSuite },
  paths: { title: 'Paths between sites', run: pathsSuite },
  agent: { title: 'An agent that is left alone', run: agentSuite },
  reconcile: { title: 'A node applies what it is sent', run: reconcileSuite },
  repair: { title: 'Another program deletes the packet filter', run: repairSuite },
  names: { title: 'Names by DNS, one core', run: namesSuite },
  ingress: { title: INGRESS, run: () => ingressSuite() },
  ...PARTS_OF_INGRESS,
  'ingress-served': { title: 'Ingress: as operators wait for it', run: ingressServedSuite },
  waf: { title: 'WAF: a gateway against ModSecurity by hand, one core', run: wafSuite },
  ca: { title: 'The mesh CA', run: caSuite },
  storm: { title: 'All agents reconnect at once', run: stormSuite },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(SUITES, name));
if (unknown.length > 0) {
  process.stderr.write(`There is no suite ${unknown.join(', ')}. There are ${Object.keys(SUITES).join(', ')}.\n`);
  process.exit(2);
}
if (canPin && cpus().length > 1) spawnSync('taskset', ['-cp', String(LOAD_CORE), String(process.pid)]);
else process.stderr.write('Without taskset and a second core the load disturbs what it measures.\n');

const results: Record<string, Row[]> = {};
for (const [name, { title, run, is_part = false }] of Object.entries(SUITES)) {
  if (wanted.length === 0 ? is_part : !wanted.includes(name)) continue;
  results[name] = await run();
  printTable(title, results[name]);
}
const folder = new URL('../results/', import.meta.url);
await mkdir(folder, { recursive: true });
const report = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model ?? 'unknown', results };
await writeFile(new URL(`${report.at.replaceAll(':', '-')}.json`, folder), `${JSON.stringify(report, null, 2)}\n`);
