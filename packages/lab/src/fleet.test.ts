import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fleetCoordinator } from '../test/fleet-coordinator.ts';
import { newFolder } from '../test/new-folder.ts';
import { Fleet, startFleet } from './fleet.ts';
import { loadIdentities } from './identities.ts';

const token = 'mesh_x';

async function withFleet(nodes: number) {
  const coordinator = await fleetCoordinator();
  const fleet = await startFleet({ urls: [coordinator.url], token, nodes, tags: (index) => [`role:r${index % 2}`] });
  return {
    coordinator,
    fleet,
    async [Symbol.asyncDispose]() {
      await fleet.close();
      await coordinator[Symbol.asyncDispose]();
    },
  };
}

test('a fleet enrols, and all of its nodes become active', async () => {
  await using it = await withFleet(30);
  await it.fleet.until(({ active }) => active === 30);
  const { nodes, connected, revision, errors, crashes } = it.fleet.stats();
  assert.deepEqual({ nodes, connected, errors, crashes }, { nodes: 30, connected: 30, errors: {}, crashes: 0 });
  assert.deepEqual(revision, { lowest: 1, highest: 1, lag: 0 });
  const enrolled = [...it.coordinator.enrolments.values()] as { name: string; tags: string[] }[];
  assert.deepEqual(new Set(enrolled.map(({ name }) => name)).size, 30);
  assert.deepEqual(enrolled.find(({ name }) => name === 'sim-2')?.tags, ['role:r1']);
});

test('a node that was stopped is silent, and comes back as a new boot', async () => {
  await using it = await withFleet(3);
  await it.fleet.until(({ active }) => active === 3);
  const [node] = it.fleet.some(1);
  assert.ok(node !== undefined);
  const boots = () =>
    new Set(it.coordinator.beats.filter(({ body }) => body.node === node.id).map(({ body }) => body.boot_id));
  await it.fleet.stop([node]);
  assert.equal(it.fleet.stats().silent, 1);
  await it.fleet.restart([node]);
  await it.fleet.until(({ active }) => active === 3);
  assert.equal(boots().size, 2);
});

test('a node that moves tells at once, and so does one that begins to misbehave', async () => {
  await using it = await withFleet(2);
  await it.fleet.until(({ active }) => active === 2);
  const [mover, faulty] = it.fleet.some(2);
  assert.ok(mover !== undefined && faulty !== undefined);
  const heard = () => it.coordinator.beats.map(({ body }) => body);
  it.fleet.move(mover);
  await it.coordinator.until(() =>
    heard().some(({ node, seq, report }) => node === mover.id && seq > 1 && report?.endpoints),
  );
  it.fleet.fail([faulty], 'never_applies');
  await it.coordinator.until(() =>
    heard().some(({ node, applied }) => node === faulty.id && applied?.self?.error?.startsWith('simulated')),
  );
  it.fleet.fail([faulty], 'wrong_digests');
  await it.coordinator.until(() =>
    heard().some(({ node, applied }) => node === faulty.id && applied?.peers?.digest === 'bad000000000'),
  );
  assert.equal(it.fleet.stats().faulty, 1);
});

test('after a storm all nodes are back, with the sessions they had', async () => {
  await using it = await withFleet(20);
  await it.coordinator.until(() => it.fleet.nodes.every(({ id }) => it.coordinator.isHeld(id)));
  await it.fleet.storm();
  const { connected, errors } = it.fleet.stats();
  assert.equal(connected, 20);
  assert.deepEqual(errors, { broken: 20 });
  assert.equal(it.coordinator.proofs.length, 20);
});

test('churn joins, leaves and moves until it is stopped', async () => {
  await using it = await withFleet(5);
  await it.fleet.until(({ active }) => active === 5);
  const known = new Set(it.fleet.nodes.map(({ id }) => id));
  it.fleet.churn({ joins: 1200, moves: 1200, leaves: 600 });
  await it.coordinator.until(() => it.coordinator.enrolments.size > 8);
  await it.fleet.until(() => [...known].some((id) => it.fleet.node(id) === undefined));
  assert.equal(it.fleet.crash, undefined);
});

test('a saved fleet comes back without enrolling again, from a file that only its owner can read', async (t) => {
  const file = join(await newFolder(t), 'fleet.json');
  await using it = await withFleet(4);
  assert.equal(await loadIdentities(file), undefined);
  await it.fleet.save(file);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const ids = it.fleet.nodes.map(({ id }) => id).sort();
  await it.fleet.close();

  await using again = new Fleet({ urls: [it.coordinator.url], token });
  await again.resume((await loadIdentities(file)) ?? []);
  await again.until(({ active }) => active === 4);
  assert.deepEqual(again.nodes.map(({ id }) => id).sort(), ids);
  assert.equal(it.coordinator.enrolments.size, 4);
  const [joined] = await again.join(1);
  assert.equal(joined?.name, 'sim-5');

  await writeFile(file, '{"version":1,"nodes":"sec');
  await assert.rejects(loadIdentities(file), (error: Error) => !error.message.includes('sec'));
});
