import assert from 'node:assert/strict';

import { join } from 'node:path';
import { test } from 'node:test';
import { fleetCoordinator } from '../test/fleet-coordinator.ts';
import { newFolder } from '../test/new-folder.ts';
import { loadIdentities } from './identities.ts';
import { type RunFleetOptions, runFleet } from './run-fleet.ts';

async function run(options: Partial<RunFleetOptions> & Pick<RunFleetOptions, 'url'>, done: (text: string) => boolean) {
  const controller = new AbortController();
  let text = '';
  const screen = {
    isTTY: true,
    columns: 200,
    write: (piece: string) => {
      text += piece;
      if (done(text)) controller.abort();
    },
  };
  const stats = await runFleet({ token: 'mesh_x', nodes: 6, ...options }, { screen, signal: controller.signal });
  return { text, stats };
}

test('a fleet is enrolled, watched and stopped, and comes back from its file', async (t) => {
  await using coordinator = await fleetCoordinator();
  const state_file = join(await newFolder(t), 'fleet.json');
  const options = { url: coordinator.url, state_file, team_size: 3, tags: ['role:sim'], fail: 2 };
  const { text, stats } = await run(options, (shown) => shown.includes('6 active  2 faulty'));
  assert.match(text, /enrolling {2}\[#{30}\] {2}6 of 6/);
  assert.match(text, /heartbeats\/s/);
  assert.equal(stats.nodes, 6);
  const tags = [...coordinator.enrolments.values()].map((node) => (node as { tags: string[] }).tags);
  assert.equal(new Set(tags.map(([, team]) => team)).size, 2);
  assert.equal((await loadIdentities(state_file))?.length, 6);

  const again = await run({ ...options, nodes: 7 }, (shown) => shown.includes('7 active'));
  assert.match(again.text, /returning {2}\[#{30}\] {2}6 of 6/);
  assert.match(again.text, /enrolling {2}\[#{30}\] {2}1 of 1/);
  assert.equal(coordinator.enrolments.size, 7);
});

test('a single node has exactly the name it was given', async () => {
  await using coordinator = await fleetCoordinator();
  const { url } = coordinator;
  await run({ url, nodes: 1, name: 'laptop-ada' }, (shown) => shown.includes('1 active'));
  const names = [...coordinator.enrolments.values()].map((node) => (node as { name: string }).name);
  assert.deepEqual(names, ['laptop-ada']);
});

test('a fleet that is ended while it enrols keeps what it has', async (t) => {
  await using coordinator = await fleetCoordinator();
  const state_file = join(await newFolder(t), 'fleet.json');
  const { stats } = await run({ url: coordinator.url, state_file, nodes: 500 }, (text) => text.includes('enrolling'));
  assert.ok(stats.nodes < 500);
  assert.equal((await loadIdentities(state_file))?.length, stats.nodes);
});
