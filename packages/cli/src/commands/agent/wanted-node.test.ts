import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../../test/run-mesh.ts';
import { Failure } from '../../failure.ts';
import { nameOfHost } from './join.ts';
import { joinRequest, service, type WantedNode } from './wanted-node.ts';

const PIN = `sha256:${'a'.repeat(43)}`;
const { signal } = new AbortController();
const asked = (wanted: WantedNode, environment: Record<string, string> = {}, tokenFile?: string) =>
  joinRequest(wanted, { environment, flags: tokenFile === undefined ? {} : { tokenFile }, signal });

test('a host’s name becomes one that the mesh takes', () => {
  const fit = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
  for (const name of ['Git-1.example.org', 'my_host', '--x--', 'über', '.', '', 'a'.repeat(62).concat('-b')]) {
    assert.match(nameOfHost(name), fit, name);
  }
  assert.equal(nameOfHost('Git-1.example.org'), 'git-1');
});

test('services are said in one word', () => {
  const first = service('git-ssh:tcp:22');
  assert.deepEqual(service('dns:udp:53', first), [
    { name: 'git-ssh', protocol: 'tcp', port: 22 },
    { name: 'dns', protocol: 'udp', port: 53 },
  ]);
  for (const bad of ['git', 'git:22', 'git:tcp:0', 'git:tcp:65536', 'git:icmp:1', 'Git:tcp:22', 'a:tcp:22:x']) {
    assert.throws(() => service(bad), /A service looks like/, bad);
  }
});

test('several coordinators, and how to trust them', async () => {
  const request = await asked({ coordinator: 'https://a.example.org/, https://b.example.org:7400', pin: [PIN] });
  assert.deepEqual(request.coordinators, ['https://a.example.org', 'https://b.example.org:7400']);
  assert.deepEqual(request.trust, { kind: 'pins', pins: [PIN], insecure_http: false });
  const open = await asked({ coordinator: 'http://10.0.0.1:7400', insecureHttp: true });
  assert.deepEqual(open.trust, { kind: 'system', insecure_http: true });
});

test('the token comes from a file or the environment, and only when it is needed', async () => {
  await using folder = await tempFolder();
  const file = join(folder.path, 'token');
  await writeFile(file, 'mesh_from-file\n');
  const environment = { MESH_COORDINATOR: 'https://a.example.org', MESH_ENROLL_TOKEN: 'mesh_from-environment' };
  assert.equal(await (await asked({}, environment)).token(), 'mesh_from-environment');
  assert.equal(await (await asked({}, environment, file)).token(), 'mesh_from-file');
  const without = await asked({}, { MESH_COORDINATOR: 'https://a.example.org' });
  await assert.rejects(without.token(), /an enrolment token is needed/);
});

test('what cannot be meant is refused before a request is sent', async () => {
  await using folder = await tempFolder();
  const notPem = join(folder.path, 'ca');
  await writeFile(notPem, 'x');
  const coordinator = 'https://a.example.org';
  for (const [wanted, words] of [
    [{}, /--coordinator or MESH_COORDINATOR must say/],
    [{ coordinator: 'http://10.0.0.1:7400' }, /is not encrypted/],
    [{ coordinator: 'https://me:hunter2@a.example.org' }, /^the coordinator must not contain credentials$/],
    [{ coordinator, pin: ['sha256:short'] }, /sha256:short is not a pin/],
    [{ coordinator, pin: [PIN], caFile: notPem }, /two ways to trust/],
    [{ coordinator, caFile: notPem }, /has no certificate in PEM/],
  ] as const) {
    const isUsage = (error: unknown) => error instanceof Failure && error.exit === 'usage' && words.test(error.message);
    await assert.rejects(asked(wanted as WantedNode), isUsage, String(words));
  }
});

test('which routes a machine takes is kept with what it should be, if it was said', async () => {
  const coordinator = 'https://mesh.example.org';
  assert.equal((await asked({ coordinator, accept_routes: 'none' })).wish.accept_routes, 'none');
  assert.ok(!('accept_routes' in (await asked({ coordinator })).wish));
});
