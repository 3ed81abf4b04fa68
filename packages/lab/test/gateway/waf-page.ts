/** docs/operate/waf.md on real gateways: every command of the page, and a false positive from its event to its exclusion. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WafEvent } from '@meshwork/contract';
import { until } from '../until.ts';
import type { GatewayScene } from './gateway-scene.ts';
import { commandsOf, runAsOperator } from './ingress-page.ts';

const POLICY = 'public';
const ATTACK = '/search?q=1%27%20OR%20%271%27=%271';

/** The ingress `shop` is served by both gateways. */
export function testsOfWafPage(scene: () => GatewayScene): void {
  const policy = async () => (await scene().scene.client.call('waf.show', { params: { id: POLICY } })).body;
  const untilInForce = async () => {
    let last: unknown;
    await until(
      async () => {
        const { gateways } = await policy();
        last = gateways;
        return gateways.length === 2 && gateways.every(({ in_force }) => in_force);
      },
      () => `the policy is in force on both gateways: ${JSON.stringify(last)}`,
    );
  };
  const statusOf = async (path: string) => (await scene().visitors.get(await scene().entrance(), path)).status;

  test('is protected by the commands of the page of the WAF', async () => {
    const commands = await commandsOf('waf.md');
    assert.equal(commands.length, 22, commands.join('\n'));
    const printed = await runAsOperator(scene().scene.mesh, commands);
    const of = (command: string) => printed[commands.findIndex((line) => line.startsWith(command))] ?? '';
    assert.match(of('mesh waf test public --uri "/search?q=winter'), /passed: no rule matched/);
    const attack = of(`mesh waf test public --uri "/search?q=1'`);
    assert.match(attack, /detected: it would have been refused.*942100.*exit code 15/s);
    assert.match(of('mesh waf test public --uri /comment'), /941\d{3}.*exit code 15/s);
    assert.match(of('mesh waf test public --uri /xmlrpc.php'), /no-xmlrpc.*exit code 14/s);

    await untilInForce();
    assert.equal(await statusOf('/search?q=winter%20coat'), 200);
    assert.equal(await statusOf(ATTACK), 403);
    assert.equal(await statusOf('/xmlrpc.php'), 403);
  });

  test('lets a false positive pass from its event on, and nothing else', async () => {
    const { client, mesh } = scene().scene;
    let found: WafEvent | undefined;
    await until(
      async () => {
        const query = { policy: POLICY, verdict: 'blocked', rule: 942_100 } as const;
        found = (await client.call('waf.events', { query })).body.items.find(({ path }) => path === '/search');
        return found !== undefined;
      },
      () => 'the request that was blocked is an event',
    );
    assert.ok(found !== undefined);
    const [proposed, excluded] = await runAsOperator(mesh, [
      `mesh waf propose ${found.id}`,
      `mesh waf exclude ${found.id} || mesh waf show ${POLICY}`,
    ]);
    assert.match(proposed ?? '', /rule 942100 does not look at argument:q of requests to shop\.example\.net\/search/);
    assert.match(excluded ?? '', /draft/);
    const drafts = (await policy()).exclusions.filter(({ draft }) => draft);
    assert.notEqual(drafts.length, 0);
    assert.equal(await statusOf(ATTACK), 403, 'a draft changes nothing');
    for (const { id } of drafts) await runAsOperator(mesh, [`mesh waf enforce ${POLICY} ${id}`]);
    await untilInForce();
    await until(
      async () => (await statusOf(ATTACK)) === 200,
      () => 'the request passes',
    );
    assert.equal(await statusOf(ATTACK.replace('/search', '/other')), 403, 'elsewhere the rule looks');
    assert.equal(await statusOf(ATTACK.replace('q=', 'name=')), 403, 'and at other parameters');
  });
}
