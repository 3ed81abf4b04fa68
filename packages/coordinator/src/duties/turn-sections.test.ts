import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type NodeId, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { type MeshOnDisk, meshOnDisk } from '../../test/mesh-on-disk.ts';
import { openAreas } from '../areas/open-areas.ts';
import type { NodeDocument } from '../kinds/nodes.ts';
import { COORDINATOR, refOf } from '../mesh/actor.ts';
import { isMember } from '../mesh/node-state.ts';
import { NodeViews } from '../views/node-views.ts';
import { PolicyReach } from '../views/policy-reach.ts';
import type { SectionSource, SectionSources } from '../views/section-source.ts';
import { Scheduler } from './scheduler.ts';
import { TurnSections } from './turn-sections.ts';

const HOUR_MS = 3_600_000;
const KEY = 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=';

/** A relay with a name that is good for an hour of its node, as a credential would be. */
const hourly: SectionSource<'relay'> = {
  content: (node, at_ms) => ({ name: `hour-${hourOf(node.body, at_ms)}`, host: 'relay.test', port: 1 }),
  nextChangeAt: ({ body }, after_ms) =>
    isMember(body) ? Date.parse(body.created_at) + (hourOf(body, after_ms) + 1) * HOUR_MS : undefined,
  touchedBy: { node: ({ id }, touch) => touch.node(id), settings: (_, touch) => touch.allNodes() },
};

function hourOf({ created_at }: NodeDocument, at_ms: number): number {
  return Math.floor((at_ms - Date.parse(created_at)) / HOUR_MS);
}

describe('a section that time alone changes', () => {
  let disk: MeshOnDisk;
  let clock: TestClock;
  let sections: SectionSources;
  let views: NodeViews;
  let duty: TurnSections;
  let scheduler: Scheduler;
  const failures: unknown[] = [];
  const woken: NodeId[] = [];

  beforeEach(async () => {
    clock = TestClock.still();
    disk = await meshOnDisk(clock);
    failures.length = 0;
    woken.length = 0;
    const { model } = disk.mesh;
    const opened = openAreas({ model, vault: disk.mesh, reach: new PolicyReach(), wake: () => undefined });
    sections = { ...opened.sections, relay: hourly };
    views = viewsOf((node) => void woken.push(node));
    duty = new TurnSections(disk.mesh, sections);
    scheduler = new Scheduler({ mesh: disk.mesh, duties: [duty], failed: (error) => void failures.push(error) });
    await new Promise((resolve) => setImmediate(resolve)); // leadership comes in a turn of its own
  });
  afterEach(async () => {
    await scheduler.close();
    await disk[Symbol.asyncDispose]();
    assert.deepEqual(failures, []);
  });

  function viewsOf(wake: (node: NodeId) => void): NodeViews {
    const { model } = disk.mesh;
    const { routes } = openAreas({ model, vault: disk.mesh, reach: new PolicyReach(), wake: () => undefined });
    return new NodeViews({ model, reach: new PolicyReach(), routes, sections, wake });
  }

  async function put(id: NodeId, change: Partial<NodeDocument> = {}): Promise<void> {
    const body: NodeDocument = {
      name: 'git-1',
      identity_key: KEY,
      wireguard_key: KEY,
      tags: [],
      address: '100.64.0.1',
      address6: 'fd00::1',
      routes_approved: [],
      pinned_relay: null,
      created_at: utc(clock.now()),
      created_by: refOf(COORDINATOR),
      approved_at: utc(clock.now()),
      quarantined: null,
      draining_since: null,
      removed_at: null,
      session_epoch: 1,
      ...disk.mesh.model.get('node', id)?.body,
      ...change,
    };
    await disk.mesh.transact({ actor: COORDINATOR, action: 'test.put' }, (tx) => {
      tx.put('node', id, body);
      tx.record({ target: null, scope: WHOLE_MESH });
    });
  }

  /** What its agent would be sent, were it to ask now. */
  function sent(id: NodeId, held: number, from = views): string | undefined {
    const node = disk.mesh.model.get('node', id);
    assert.ok(node !== undefined);
    return /hour-\d+/.exec(from.changesSince(node, held))?.[0];
  }

  it('reaches the node as any other change: with a revision, alike from every coordinator', async () => {
    const id = newId('node', 1);
    await put(id);
    views.of(id);
    const held = disk.mesh.model.revision;
    assert.deepEqual([sent(id, 0), sent(id, held)], ['hour-0', undefined]);
    clock.advance(3599);
    await duty.run();
    assert.equal(disk.mesh.model.revision, held, 'nothing is due');
    clock.advance(1);
    woken.length = 0;
    await duty.run();
    assert.deepEqual([sent(id, held), disk.mesh.model.revision, woken], ['hour-1', held + 1, [id]]);
    assert.deepEqual(views.desired(id, 'relay').digest, viewsOf(() => undefined).desired(id, 'relay').digest);
    assert.equal(
      sent(
        id,
        0,
        viewsOf(() => undefined),
      ),
      'hour-1',
    );
    assert.equal(sent(id, held + 1), undefined);
  });

  it('is sent once for all the changes that were missed while no coordinator ran', async () => {
    const id = newId('node', 1);
    await put(id);
    const { revision } = disk.mesh.model;
    clock.advance(5 * 3600 + 10);
    await duty.run();
    await duty.run();
    assert.deepEqual([sent(id, 0), disk.mesh.model.revision], ['hour-5', revision + 1]);
    assert.equal(duty.next_at, Date.parse(disk.mesh.model.get('node', id)?.body.created_at ?? '') + 6 * HOUR_MS);
  });

  it('is put right when it was computed while the clock was ahead', async () => {
    const id = newId('node', 1);
    await put(id);
    clock.advance(48 * 3600);
    await duty.run();
    assert.equal(sent(id, 0), 'hour-48');
    clock.advance(-47 * 3600);
    assert.equal(duty.next_at, 0);
    await duty.run();
    assert.equal(sent(id, 0), 'hour-1');
  });

  it('follows what a document changes about it, and ends with its node', async () => {
    const [one, two] = [newId('node', 1), newId('node', 2)];
    await put(one);
    clock.advance(60);
    await put(two);
    await put(one, { removed_at: utc(clock.now()) });
    assert.equal(duty.next_at, Date.parse(utc(clock.now())) + HOUR_MS);
    await put(two, { removed_at: utc(clock.now()) });
    assert.equal(duty.next_at, undefined);
  });
});
