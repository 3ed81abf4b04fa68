import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { TrafficCount } from '@meshwork/contract';
import { STATUS_CLASSES, TIME_BOUNDS_S } from '@meshwork/contract/vocabulary';
import { healthSnapshot } from '../../test/health-snapshot.ts';
import { until } from '../../test/namespaces.ts';
import { AgentMetrics } from './agent-metrics.ts';
import { serveHealth } from './health-server.ts';
import type { HealthSnapshot, HealthSource } from './health-source.ts';

const NOW = Date.parse('2026-11-15T09:30:00Z');

async function served(source: HealthSource) {
  const warnings: string[] = [];
  const metrics = new AgentMetrics(source, () => NOW);
  const server = await serveHealth({
    listen: { host: '127.0.0.1', port: 0 },
    source,
    metrics,
    warn: (problem) => void warnings.push(problem),
  });
  const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
  return { get, metrics, warnings, port: server.port, [Symbol.asyncDispose]: () => server.close() };
}

test('it says that it runs, and whether it is ready', async () => {
  let snapshot: HealthSnapshot = healthSnapshot(NOW);
  await using health = await served({ look: () => snapshot });
  assert.equal((await health.get('/healthz')).status, 200);
  const ready = await health.get('/readyz');
  assert.deepEqual([ready.status, ((await ready.json()) as { ready: boolean }).ready], [200, true]);
  snapshot = healthSnapshot(NOW, { engine: { ok: false, detail: 'mesh0 is gone' } });
  const away = await health.get('/readyz?verbose');
  assert.equal(away.status, 503);
  assert.match(await away.text(), /mesh0 is gone/);
  assert.equal((await health.get('/healthz')).status, 200);
});

test('metrics are what Prometheus accepts, without a series for each peer', async () => {
  let snapshot = healthSnapshot(NOW);
  await using health = await served({ look: () => snapshot });
  health.metrics.applied('firewall', 30, undefined);
  health.metrics.applied('tunnel', 70, new Error('no'));
  health.metrics.repaired('firewall');
  const answer = await health.get('/metrics');
  const body = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  for (const line of [
    'mesh_node_info{node="node_01jcqv5s3ee3xv9k7d0w8m2b4n",name="git-1",version="0.1.0"} 1',
    'mesh_node_heartbeat_age_seconds 3',
    'mesh_node_heartbeats_total{result="superseded"} 3',
    'mesh_node_config_revision{section="peers"} 41',
    'mesh_node_peers{path="direct"} 2',
    'mesh_node_peer_handshake_age_seconds{which="median"} 30',
    'mesh_node_peer_handshake_age_seconds{which="oldest"} 90',
    'mesh_node_rx_bytes_total 1000',
    'mesh_node_tx_bytes_total 2000',
    'mesh_node_relay_rtt_seconds{relay="fra-1"} 0.012',
    'mesh_node_acl_denied_total{place="in"} 4',
    'mesh_node_certificate_expiry_seconds 3600',
    'mesh_node_reconcile_seconds_count 2',
    'mesh_node_reconcile_errors_total{subsystem="tunnel"} 1',
    'mesh_node_repairs_total{section="firewall"} 1',
  ]) {
    assert.ok(body.split('\n').includes(line), `${line} is not in\n${body}`);
  }
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' });
  assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', '']);
  // What is counted elsewhere is passed on, and not added up; what is gone has no value.
  snapshot = healthSnapshot(NOW, { rx_bytes: 1500, relays: [] });
  const later = await (await health.get('/metrics')).text();
  assert.match(later, /^mesh_node_rx_bytes_total 1500$/m);
  assert.doesNotMatch(later, /fra-1/);
});

test('requests to ingresses are counted by route and class, and grow with both alone', async () => {
  const ingress = 'ingress_01jcqvc37ee3xv9k7d0w8m2b4n';
  const count = (route: string | null, ok: number, slow: number): TrafficCount => ({
    ...{ ingress, route, statuses: [], bytes_in: 10 * ok, bytes_out: 100 * ok, upstream_requests: 0, upstream_ms: 0 },
    classes: [0, ok, 0, 0, slow, 0],
    times: [ok, ...Array.from({ length: TIME_BOUNDS_S.length - 1 }, () => 0), slow],
  });
  const requests = [count('/api/"x"', 7, 2), count(null, 1, 0)];
  await using health = await served({ look: () => healthSnapshot(NOW, { requests }) });
  const body = await (await health.get('/metrics')).text();
  const api = `ingress="${ingress}",route="/api/\\"x\\""`;
  for (const line of [
    `mesh_node_ingress_requests_total{${api},class="2xx"} 7`,
    `mesh_node_ingress_requests_total{${api},class="5xx"} 2`,
    `mesh_node_ingress_requests_total{ingress="${ingress}",route="",class="2xx"} 1`,
    `mesh_node_ingress_rx_bytes_total{${api}} 70`,
    `mesh_node_ingress_tx_bytes_total{${api}} 700`,
    `mesh_node_ingress_request_seconds_bucket{${api},le="0.005"} 7`,
    `mesh_node_ingress_request_seconds_bucket{${api},le="10"} 7`,
    `mesh_node_ingress_request_seconds_bucket{${api},le="+Inf"} 9`,
    `mesh_node_ingress_request_seconds_count{${api}} 9`,
  ]) {
    assert.ok(body.split('\n').includes(line), `${line} is not in\n${body}`);
  }
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' });
  assert.deepEqual([checked.status, checked.stdout, checked.stderr], [0, '', '']);
  const series = body.split('\n').filter((line) => line.startsWith('mesh_node_ingress_'));
  assert.equal(series.length, requests.length * (STATUS_CLASSES.length + 2 + TIME_BOUNDS_S.length + 2));
});

test('those who say nothing, or never finish, do not keep its places', async () => {
  await using health = await served({ look: () => healthSnapshot(NOW) });
  const begun = ['', 'GET /healthz HTTP/1.1\r\nhost: x\r\n'];
  const held = Array.from({ length: 64 }, () => connect(health.port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  for (const [index, socket] of held.entries()) socket.write(begun[index % begun.length] ?? '');
  await assert.rejects(health.get('/healthz'));
  await until('a probe is answered', () => health.get('/healthz').then(({ ok }) => ok));
  for (const socket of held) socket.destroy();
});

test('it takes GET and HEAD, small headers and nothing else, and a fault of ours ends nothing', async () => {
  let fault: Error | undefined;
  await using health = await served({
    look: () => {
      if (fault !== undefined) throw fault;
      return healthSnapshot(NOW);
    },
  });
  assert.equal((await health.get('/readyz', 'POST')).status, 405);
  const head = await health.get('/metrics', 'HEAD');
  assert.deepEqual([head.status, await head.text()], [200, '']);
  assert.equal((await health.get('/v1/nodes')).status, 404);
  const raw = connect(health.port, '127.0.0.1');
  await once(raw, 'connect');
  raw.write(`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(8192)}\r\n\r\n`);
  assert.match(await text(raw), /^HTTP\/1\.1 431 /);
  fault = new Error('the tunnel cannot be seen');
  assert.equal((await health.get('/readyz')).status, 500);
  assert.deepEqual(health.warnings, ['health check failed: the tunnel cannot be seen']);
  fault = undefined;
  assert.equal((await health.get('/readyz')).status, 200);
});
