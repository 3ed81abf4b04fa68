import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngressAssignment } from '@meshwork/contract';
import { ingressId, ingressOf } from '../../../test/ingress-section.ts';
import type { HostSockets } from './host-sockets.ts';
import { servedStreams } from './served-streams.ts';

const PORTS = { http_port: 80, https_port: 443 };
const FREE: HostSockets = { tcp: [], udp: [] };
const listening = (port: number) => ({ port, remote: null, listens: true, held: true });

function served(section: readonly IngressAssignment[], sockets = FREE, running?: string) {
  const { streams, problems } = servedStreams({ section, ports: PORTS, running, sockets });
  return { ids: streams.map(({ id }) => id), problems: [...problems.values()] };
}

test('ports of the gateway itself are not given away, and UDP has its own', () => {
  const section = [80, 443].map((port, index) => ingressOf(index, { kind: 'tcp', port }));
  assert.deepEqual(served([...section, ingressOf(2, { kind: 'udp', port: 443 })]), {
    ids: [ingressId(2)],
    problems: ["port 80 is the gateway's own, for HTTP and HTTPS", "port 443 is the gateway's own, for HTTP and HTTPS"],
  });
});

test('a port that another program listens on is left out, unless it is nginx itself', () => {
  const section = [ingressOf(1, { kind: 'tcp', port: 5432 }), ingressOf(2, { kind: 'udp', port: 53 })];
  const sockets = { tcp: [listening(5432)], udp: [listening(53)] };
  assert.deepEqual(served(section, sockets), {
    ids: [],
    problems: ['another program has TCP port 5432', 'another program has UDP port 53'],
  });
  const running = '    server {\n        listen 5432 so_keepalive=on;\n        listen 53 udp reuseport;\n';
  assert.deepEqual(served(section, sockets, running).problems, []);
  const connected = { ...listening(5432), listens: false };
  assert.deepEqual(served(section, { tcp: [connected], udp: [] }).problems, [], 'a connection is no hindrance');
});

test('of two ingresses for one place the first is served, and one that drains gives way without a word', () => {
  const db = (number: number, draining = false) => ingressOf(number, { kind: 'tcp', port: 5432, draining });
  assert.deepEqual(served([db(1), db(2)]), {
    ids: [ingressId(1)],
    problems: [`TCP port 5432 is that of another ingress, ${ingressId(1)}`],
  });
  assert.deepEqual(served([db(1, true), db(2)]), { ids: [ingressId(2)], problems: [] });
  assert.deepEqual(served([db(1), db(2, true)]), { ids: [ingressId(1)], problems: [] });
  const vault = (number: number) => ingressOf(number, { kind: 'tls', hostname: 'vault.example.com' });
  assert.deepEqual(served([vault(1), vault(2)]).problems, [
    `the host name is that of another ingress, ${ingressId(1)}`,
  ]);
});

test('a name whose TLS nginx ends is not passed through, and one that is served by plain HTTP is', () => {
  const through = ingressOf(1, { kind: 'tls', hostname: 'vault.example.com' });
  const http = (over: Partial<IngressAssignment>) => ingressOf(2, { hostname: 'vault.example.com', ...over });
  const tls = { chain: null, redirect: true };
  assert.deepEqual(served([through, http({ tls })]).problems, [
    'this gateway ends TLS for that name itself, for another ingress',
  ]);
  for (const other of [http({}), http({ tls, draining: true })]) {
    assert.deepEqual(served([through, other]), { ids: [ingressId(1)], problems: [] });
  }
});
