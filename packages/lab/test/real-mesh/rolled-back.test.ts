/** A rule set or a policy that cuts a node off from its coordinator: the node heals by itself, and says what it refuses. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ApiError, RequestOf } from '@meshwork/client';
import type { AppliedSection, Posture, RolledBack } from '@meshwork/contract';
import { DOOR_PORT } from '../../src/namespaces/keeper/door-addresses.ts';
import { nodeFolder } from '../../src/namespaces/life/lab-folder.ts';
import { ETC_NETNS, UNDERLAY } from '../../src/namespaces/plan/fixed.ts';
import { COORDINATOR } from '../../src/namespaces/plan/lab-spec.ts';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { NameServer } from './name-server.ts';
import { assertDropped, untilDropped, untilReached } from './reach.ts';
import { postureOf, untilCoordinator, untilInSync } from './standing.ts';

type NewRule = RequestOf<'firewall.create'>['body'];

const AFTER_S = 2;
const SETTINGS = { MESH_ROLLBACK_AFTER: `${AFTER_S}` };
/** Two attempts with the probe of each, and room for a busy machine. */
const LONG_MS = AFTER_S * 5 * 1000;
const NAMES = ['a', 'b', 'home'] as const;
/** A resolver beyond the router of `home`, in a network that its policy can lead elsewhere. */
const RESOLVER = '10.213.0.53';
const AROUND_RESOLVER = '10.213.0.0/24';
const OPEN = { from: 'a', to: 'b', allow: ['tcp:80'] };

describe('a node that its new configuration cuts off', () => {
  let scene: Scene;
  let names: NameServer;
  let b = '';

  before(async () => {
    scene = await Scene.start({
      nodes: [{ name: 'a' }, { name: 'b', routes: [AROUND_RESOLVER] }, { name: 'home', nat: true }],
      settings: { nodes: { heartbeat_interval_s: 2, stale_after_s: 300, unreachable_after_s: 600 } },
    });
    const { lab } = scene;
    await lab.place('net').exec('ip', ['addr', 'add', `${RESOLVER}/${UNDERLAY.prefix}`, 'dev', 'br0']);
    names = await NameServer.start(lab.place('net'), { host: RESOLVER, answer: UNDERLAY.gateway });
    for (const name of NAMES) await lab.node(name).agent.stop();
    await reachByName('home');
    for (const name of NAMES) await lab.node(name).agent.start(SETTINGS);
    await setGrants(scene, [OPEN]);
    b = await scene.addressOf('b');
    await scene.prober('b').listen(80);
    await untilReached(scene.prober('a'), { host: b, port: 80 });
    await untilInSync(scene, NAMES);
  });
  after(async () => {
    await names?.[Symbol.asyncDispose]();
    await scene?.[Symbol.asyncDispose]();
  });

  /** The agent of a node asks a resolver for its coordinator from now on. */
  async function reachByName(name: string): Promise<void> {
    const node = scene.lab.node(name);
    const resolv = `nameserver ${RESOLVER}\noptions timeout:1 attempts:1\n`;
    await writeFile(join(ETC_NETNS, node.namespace, 'resolv.conf'), resolv);
    const file = join(nodeFolder(scene.lab.plan.name, name), 'state', 'identity.json');
    const identity = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...identity, coordinators: [`http://mesh.test:${DOOR_PORT}`] }));
  }

  async function addRule(rule: Partial<NewRule>): Promise<{ id: string; revision: number }> {
    const body = { nodes: ['node:a'], direction: 'out', interface: 'any', protocol: 'tcp', action: 'drop', ...rule };
    const made = (await scene.client.call('firewall.create', { body: { ...body, force: true } as NewRule })).body;
    if (rule.interface === 'eth0')
      assert.deepEqual(
        made.findings.map(({ kind }) => kind),
        ['may_cut_off'],
      );
    return made;
  }

  /** What is surely a mistake is refused unless it is forced. What may be one is a warning in the answer. */
  async function assertWarned(rule: Partial<NewRule>, how: 'may_cut_off' | 'firewall_cuts_off'): Promise<void> {
    const body = { nodes: ['node:a'], direction: 'out', interface: 'any', protocol: 'tcp', action: 'drop', ...rule };
    const preview = { rules: [body] } as RequestOf<'firewall.preview'>['body'];
    const { findings } = (await scene.client.call('firewall.preview', { body: preview })).body;
    const kind = how === 'may_cut_off' ? how : 'cuts_off';
    assert.deepEqual(
      [...new Set(findings.filter(({ kind: one }) => one.includes('cut')).map((one) => one.kind))],
      [kind],
    );
    if (how === 'may_cut_off') return;
    const refused = scene.client.call('firewall.create', { body: body as NewRule });
    await assert.rejects(refused, (error: ApiError) => error.code === how);
  }

  async function untilRolledBack(name: string, section: AppliedSection): Promise<RolledBack> {
    let posture: Posture | undefined;
    await until(
      async () => {
        posture = await postureOf(scene, name);
        return posture.sections[section].observed?.rolled_back !== undefined;
      },
      () => `${name} has rolled ${section} back: ${JSON.stringify(posture?.sections[section])}`,
      90_000,
    );
    return posture?.sections[section].observed?.rolled_back as RolledBack;
  }

  /** Whether the coordinator had the time to answer under the rule. */
  async function isProven(name: string, rule: string): Promise<boolean> {
    const file = join(nodeFolder(scene.lab.plan.name, name), 'state', 'rollback.json');
    return JSON.stringify(JSON.parse(await readFile(file, 'utf8')).proven).includes(rule);
  }

  async function untilRuleAt(name: string, id: string): Promise<void> {
    await until(
      async () => (await tableOf(name)).includes(id),
      () => `${name} has put the rule ${id} into effect`,
    );
  }

  const tableOf = (name: string) => scene.lab.node(name).exec('nft', ['list', 'table', 'inet', 'mesh']);
  const timesInLog = async (name: string, words: string) => (await scene.lab.node(name).logs()).split(words).length - 1;

  for (const [how, rule] of [
    ['interface', { interface: 'eth0' }],
    ['port', { ports: [`${DOOR_PORT}`] }],
    ['address', { protocol: 'any', to: [`${UNDERLAY.gateway}/32`] }],
    ['family', { protocol: 'any', to: ['0.0.0.0/0'] }],
  ] as const) {
    test(`by ${how}: it goes back to the rules before, says so, and is in sync once the rule is gone`, async () => {
      await assertWarned(rule as Partial<NewRule>, how === 'interface' ? 'may_cut_off' : 'firewall_cuts_off');
      const { id, revision } = await addRule(rule as Partial<NewRule>);
      const rolledBack = await untilRolledBack('a', 'firewall');
      assert.equal(rolledBack.after_s, AFTER_S);
      assert.ok(rolledBack.revision >= revision, 'of the answer that brought the rule');
      assert.doesNotMatch(await tableOf('a'), new RegExp(id));
      await untilAttention('a', 1);
      const { posture, attention, compiled } = await seen('a');
      assert.match(posture.sections.firewall.reason ?? '', /^Rolled back: no heartbeat was answered within 2 s/);
      assert.deepEqual(attention, [
        `Rolled back on a: No heartbeat was answered within 2 s after rule set ${rolledBack.revision}.`,
      ]);
      assert.deepEqual(compiled, rolledBack);

      await scene.client.call('firewall.delete', { params: { id } });
      await untilInSync(scene, ['a']);
      await untilAttention('a', 0);
    });
  }

  /** What a heartbeat says is known at once, and written down a moment later. */
  async function untilAttention(name: string, count: number): Promise<void> {
    await until(
      async () => (await seen(name)).attention.length === count,
      () => `${count} rollbacks of ${name} need attention`,
    );
  }

  async function seen(name: string) {
    const id = (await scene.lab.node(name).id()) ?? '';
    const { attention } = (await scene.client.call('overview.show')).body;
    return {
      posture: await postureOf(scene, name),
      attention: attention
        .filter(({ kind }) => kind === 'node_rolled_back')
        .map(({ title, detail }) => `${title}: ${detail}`),
      compiled: (await scene.client.call('firewall.node', { params: { id } })).body.rolled_back,
    };
  }

  test('by a policy that leads its resolver into the mesh: it keeps the routes it had, until the policy is another', async () => {
    const id = (await scene.lab.node('b').id()) ?? '';
    await scene.client.call('nodes.approve_routes', { params: { id }, body: { approved: [AROUND_RESOLVER] } });
    await setGrants(scene, [OPEN, { from: 'home', to: AROUND_RESOLVER, allow: ['tcp:80'] }]);
    await untilRolledBack('home', 'acl');
    await untilCoordinator(scene.lab.node('home'), 'there');
    await setGrants(scene, [OPEN]);
    await untilInSync(scene, ['home']);
    await scene.client.call('nodes.approve_routes', { params: { id }, body: { approved: [] } });
    await untilInSync(scene, NAMES);
  });

  test('and whose agent is killed meanwhile starts with what worked, and does not try again what it refused', async () => {
    const { agent } = scene.lab.node('a');
    const { id } = await addRule({ interface: 'eth0' });
    await untilRuleAt('a', id);
    await agent.stop('SIGKILL');
    await agent.start(SETTINGS);
    await untilRolledBack('a', 'firewall');
    assert.doesNotMatch(await tableOf('a'), new RegExp(id));
    // Not how often something was rolled back: on a busy machine a heartbeat may take that long, without any harm.
    const words = 'a change cut this node off from its coordinator';
    const tries = await timesInLog('a', words);
    assert.ok(tries > 0);
    await agent.stop('SIGKILL');
    await agent.start(SETTINGS);
    await untilCoordinator(scene.lab.node('a'), 'there');
    await untilRolledBack('a', 'firewall');
    await scene.client.call('firewall.delete', { params: { id } });
    await untilInSync(scene, ['a']);
    assert.equal(await timesInLog('a', words), tries);
  });

  test('while its coordinator is away as well: what was revoked stays so, whatever is rolled back', async () => {
    const { agent } = scene.lab.node('b');
    await agent.stop();
    await setGrants(scene, []);
    const { id } = await addRule({ nodes: ['node:b'], interface: 'eth0' });
    await agent.start(SETTINGS);
    await untilRuleAt('b', id);
    await untilDropped(scene.prober('a'), { host: b, port: 80 });
    await scene.lab.cut('b', COORDINATOR);
    const words = 'the rollback made no difference';
    await until(
      async () => {
        await assertDropped(scene.prober('a'), { host: b, port: 80 });
        return (await timesInLog('b', words)) > 0;
      },
      () => 'b finds that the rule is not what keeps it from its coordinator',
      LONG_MS * 6,
    );
    await untilRuleAt('b', id);
    await scene.lab.mend('b', COORDINATOR);
    await untilRolledBack('b', 'firewall');
    await assertDropped(scene.prober('a'), { host: b, port: 80 });
    await scene.client.call('firewall.delete', { params: { id } });
    await setGrants(scene, [OPEN]);
    await untilReached(scene.prober('a'), { host: b, port: 80 });
    await untilInSync(scene, NAMES);
  });

  test('rolls nothing back when its coordinator was killed', async () => {
    const before = await timesInLog('a', 'rolled back to what worked before');
    const { id } = await addRule({ ports: ['9'] });
    await untilRuleAt('a', id);
    await scene.mesh.end('SIGKILL');
    await untilCoordinator(scene.lab.node('a'), 'away');
    await until(
      async () => (await isProven('a', id)) || (await timesInLog('a', 'nothing is rolled back')) > 0,
      () => 'a has found that its coordinator can be reached, and does not answer',
      LONG_MS * 6,
    );
    assert.match(await tableOf('a'), new RegExp(id));
    await scene.mesh.startAgain();
    await untilCoordinator(scene.lab.node('a'), 'there');
    await untilInSync(scene, ['a']);
    assert.equal(await timesInLog('a', 'rolled back to what worked before'), before);
  });
});
