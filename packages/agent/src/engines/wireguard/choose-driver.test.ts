import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Namespace, namespace } from '../../../test/namespaces.ts';
import { MESH, userspaceDriver } from '../../../test/wireguard-places.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { chooseDriver } from './choose-driver.ts';

it('takes the engine that this kernel has, which then works', async () => {
  await using place = await namespace('c');
  const made = place.run('ip', ['link', 'add', 'dev', 'probe', 'type', 'wireguard']);
  const expected = await made.then(
    () => 'kernel',
    () => 'userspace',
  );
  const { engine, driver } = await chooseDriver({ interface: MESH, ...place });
  assert.equal(engine, expected);
  await driver.ensure();
  assert.equal((await driver.read())?.peers.size, 0);
});

it('stays with the engine of an interface that is there', async () => {
  await using place = await namespace('c');
  await (await userspaceDriver(place)).ensure();
  assert.equal((await chooseDriver({ interface: MESH, ...place })).engine, 'userspace');
});

it('leaves an interface of another program alone', async () => {
  await using place = await namespace('c');
  await place.run('ip', ['link', 'add', 'dev', MESH, 'type', 'veth']);
  await assert.rejects(chooseDriver({ interface: MESH, ...place }), /mesh0 already, and it is not ours \(veth\)/);
});

it('says what is missing, and how to get it', async () => {
  await using place = await namespace('c');
  const options = { interface: MESH, ...place };
  const nothing = chooseDriver({ ...options, run: without(place, 'wg', 'wireguard-go') });
  await assert.rejects(nothing, /apt install wireguard-tools.*apt install wireguard-go/);
  const no_device = chooseDriver({ ...options, run: without(place, 'wg'), tun_device: '/dev/net/none' });
  await assert.rejects(no_device, /there is no \/dev\/net\/none .*modprobe tun/);
});

/** As if these programs were not installed. */
function without({ run }: Namespace, ...programs: readonly string[]): RunCommand {
  return (command, args, options) =>
    programs.includes(command) ? runCommand(`/nowhere/${command}`, args, options) : run(command, args, options);
}
