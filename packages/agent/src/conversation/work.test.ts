import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DryRunDataPlane } from '../data-plane/dry-run-data-plane.ts';
import { HeldView } from '../view/held-view.ts';
import { Reporter } from './reporter.ts';
import { Work } from './work.ts';

function setUp() {
  const reporter = new Reporter();
  const data_plane = new DryRunDataPlane({ node: 'node_a', now: () => 0 });
  const ended = Promise.withResolvers<void>();
  const work = new Work({ view: new HeldView(), data_plane, reporter, ended: () => ended.resolve() });
  return { reporter, data_plane, work, ended: ended.promise };
}

test('a command is known to the data plane by its operation, so that a repeated one gives the same key', async () => {
  const { reporter, data_plane, work, ended } = setUp();
  const key = await data_plane.rekey('operation_1'); // by the agent before this one, whose report was lost
  work.begin({ revision: 1, next_s: 0, commands: [{ id: 'operation_1', kind: 'rekey' }] });
  await ended;
  const { report, results } = reporter.pack().payload;
  assert.deepEqual([report, results], [{ wireguard_key: key }, [{ id: 'operation_1', outcome: 'done' }]]);
});

test('a diagnosis by the data plane is the result of its command', async () => {
  const { reporter, data_plane, work, ended } = setUp();
  work.begin({ revision: 1, next_s: 0, commands: [{ id: 'operation_1', kind: 'diagnose' }] });
  await ended;
  const data = await data_plane.diagnose();
  assert.deepEqual(reporter.pack().payload.results, [{ id: 'operation_1', outcome: 'done', data }]);
});
