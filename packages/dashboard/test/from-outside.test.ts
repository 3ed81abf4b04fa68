/** A check from outside, on the page of an ingress, with nodes that answer as agents do. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OUTSIDE, OutsideScene } from '@meshwork/panel/testing';
import { faultsOfLooks } from './looks.ts';
import type { Person } from './person.ts';
import { Scene } from './scene.ts';

const FOREIGN = '203.0.113.9';

let scene: Scene;
let outside: OutsideScene;
let ada: Person;
before(async () => {
  scene = await Scene.open({ mesh: false });
  outside = await OutsideScene.open(scene.panel.coordinator, { tls: { certificate: 'none' } });
  ada = await scene.person('operator');
  await ada.opens(`/ingress/${outside.ingress.id}`);
});
after(async () => {
  await outside?.stop();
  await scene?.[Symbol.asyncDispose]();
});

const card = () => ada.page.getByRole('region', { name: 'From outside', exact: true });

test('the page says what a node found from outside, who it was, and what to do', async () => {
  await ada.reads('Not checked yet.', card());
  outside.sees([OUTSIDE.a, FOREIGN], ({ address }) =>
    address === OUTSIDE.a ? outside.proven('a') : { outcome: 'timed_out' },
  );
  await ada.presses('Check from outside', card());
  await ada.reads('Reached at some addresses', card());
  await ada.reads(outside.names[2], card());
  await ada.reads(`DNS: ${OUTSIDE.a}, ${FOREIGN}, by 192.0.2.53`, card());
  const findings = card().getByRole('list', { name: 'Findings from outside' }).getByRole('listitem');
  await ada.reads(new RegExp(`Remove the record ${FOREIGN}`), findings.first());
  await ada.reads('Problem', findings.first());
  await ada.reads(new RegExp(`is gateway ${outside.names[0]}, generation`), findings.last());
  assert.deepEqual(await faultsOfLooks(ada, 'ingress-outside', card()), []);
  assert.deepEqual(ada.faults, []);
});

test('a check that was not made says why, and leaves nothing of the one before', async () => {
  outside.eye.answers = () => ({ error: 'this node does not try or watch flows (MESH_PROBES=off)' });
  outside.mesh.clock.advance(10);
  await ada.presses('Check from outside', card());
  await ada.reads(/MESH_PROBES=off/, card());
  assert.equal(await card().getByRole('listitem').count(), 0);
});

test('a viewer is not offered it', async () => {
  await using vera = await scene.person('viewer');
  await vera.opens(`/ingress/${outside.ingress.id}`);
  await vera.sees('shop');
  assert.equal(await vera.page.getByRole('region', { name: 'From outside', exact: true }).count(), 0);
  assert.deepEqual(vera.faults, []);
});
