/** Rule sets of the operator: what is read of them, what is refused, and what goes on serving meanwhile. */
import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type GatewayScene, gatewayScene, type Service } from '../../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../../test/ingress-section.ts';
import { newFolder } from '../../../../test/new-folder.ts';
import { policyOf, wafId } from '../../../../test/waf-section.ts';
import { readRuleSet } from './rule-set.ts';

const DEBIAN = '/usr/share/modsecurity-crs';
const WWW = 'www-1.example.com';
const ATTACK = `/?q=${encodeURIComponent("1' or '1'='1")}`;
const SQLI_RULES = 'rules/REQUEST-942-APPLICATION-ATTACK-SQLI.conf';

async function copyOf() {
  const folder = await newFolder();
  await cp(join(DEBIAN, 'rules'), join(folder.path, 'rules'), { recursive: true });
  return folder;
}

it('a rule set that is broken or wants more than to look at requests is refused, with the reason', async () => {
  const more = 'SecRule ARGS "@rx x" "id:942999,phase:2,pass';
  const hostile: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    [
      'SecRemoteRules',
      (path) => appendFile(join(path, SQLI_RULES), '\nSecRemoteRules key https://example.com/rules\n'),
    ],
    ['Include', (path) => appendFile(join(path, SQLI_RULES), '\nInclude /etc/passwd\n')],
    ['SecRuleEngine', (path) => appendFile(join(path, SQLI_RULES), '\nSecRuleEngine Off\n')],
    ['exec', (path) => appendFile(join(path, SQLI_RULES), `\n${more},exec:/tmp/x"\n`)],
    [
      'inspectFile',
      (path) => appendFile(join(path, SQLI_RULES), '\nSecRule FILES "@inspectFile /tmp/x" "id:942999,phase:2,pass"\n'),
    ],
    ['ruleEngine', (path) => appendFile(join(path, SQLI_RULES), `\n${more},ctl:ruleEngine=Off"\n`)],
    [
      'passwd',
      (path) =>
        appendFile(join(path, SQLI_RULES), '\nSecRule ARGS "@pmFromFile ../../etc/passwd" "id:942999,phase:2,pass"\n'),
    ],
    ['lacks', (path) => rm(join(path, 'rules/sql-errors.data'))],
    [
      'no plain file',
      async (path) => {
        await rm(join(path, SQLI_RULES));
        await symlink('/etc/passwd', join(path, SQLI_RULES));
      },
    ],
    ['larger', (path) => truncate(join(path, SQLI_RULES), 3_000_000)],
    ['no Core Rule Set', (path) => rm(join(path, 'rules/REQUEST-949-BLOCKING-EVALUATION.conf'))],
  ];
  for (const [reason, change] of hostile) {
    await using folder = await copyOf();
    await change(folder.path);
    await assert.rejects(readRuleSet(folder.path), new RegExp(reason), reason);
  }
  await assert.rejects(readRuleSet('/nonexistent'), /ENOENT/);
});

it('a rule set is known by its content, and says its version', async () => {
  const { version, major, inventory, digest } = await readRuleSet(DEBIAN);
  assert.deepEqual([version, major], ['3.3.4', 3]);
  assert.equal(inventory.of(942100)?.paranoia, 1);
  assert.ok(inventory.withTag('attack-sqli').length > 20);
  await using folder = await copyOf();
  assert.equal((await readRuleSet(folder.path)).digest, digest);
});

describe('a gateway', { timeout: 100_000 }, () => {
  let scene: GatewayScene;
  let web: Service;
  let rules: Awaited<ReturnType<typeof copyOf>>;
  before(async () => {
    rules = await copyOf();
    scene = await gatewayScene({ waf_rules: rules.path });
    web = await scene.service('web');
  });
  after(async () => {
    await scene[Symbol.asyncDispose]();
    await rules[Symbol.asyncDispose]();
  });

  const serve = (over = {}, { server } = scene as Pick<GatewayScene, 'server'>) => {
    const routes = [routeOf({ targets: [web.target(1)], waf: wafId(1) })];
    return server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies: [policyOf(1, over)] });
  };
  const status = async (path: string) => (await scene.ask(WWW, { path })).status;

  it('goes on with the last good rule set, and takes other changes', async () => {
    await serve();
    assert.equal(scene.server.wafProblem, undefined);
    assert.equal(await scene.waf.hasOther(), false);
    await appendFile(join(rules.path, SQLI_RULES), '\nSecRule ARGS "@rx (unclosed" "id:x"\n');
    await serve({ thresholds: { inbound: 6 } });
    assert.match(scene.server.wafProblem ?? '', /the rule set in .* cannot be used/);
    assert.equal(await status(ATTACK), 200, 'the change of the policy is in effect');
    await serve();
    assert.equal(await status(ATTACK), 403);
    await rm(join(rules.path, 'rules'), { recursive: true });
    const another = scene.another();
    await serve({}, another);
    assert.equal(await status(ATTACK), 403, 'also after a restart of the agent, with the folder gone');
    assert.match(another.server.wafProblem ?? '', /cannot be used/);
    assert.equal(await another.server.fault(), null);
  });

  it('takes another rule set once the engine took it, and notices what is changed behind its back', async () => {
    await cp(join(DEBIAN, 'rules'), join(rules.path, 'rules'), { recursive: true });
    const { server, waf } = scene.another();
    await serve({}, { server });
    assert.equal(server.wafProblem, undefined);
    await appendFile(
      join(rules.path, SQLI_RULES),
      '\nSecRule ARGS:secret "@streq open" "id:942998,phase:2,deny,status:403,log,tag:\'attack-sqli\'"\n',
    );
    assert.equal(await waf.hasOther(), true);
    await serve({}, { server });
    assert.equal(await status('/?secret=open'), 403);
    const folder = (await scene.folder.names('waf')).filter((name) => name.startsWith('rules-'));
    assert.equal(folder.length, 1, 'the copy before it is gone');
    await appendFile(join(scene.path, 'waf', folder[0] ?? '', SQLI_RULES.slice('rules/'.length)), '\n# changed\n');
    assert.match((await server.fault()) ?? '', /was changed/);
    await serve({}, { server });
    assert.equal(await server.fault(), null);
  });

  it('answers 503 where there never was one', async () => {
    await using nowhere = await newFolder();
    await mkdir(join(nowhere.path, 'rules'));
    await using empty = await gatewayScene({ waf_rules: nowhere.path });
    const service = await empty.service('web');
    const routes = [
      routeOf({ targets: [service.target(1)], waf: wafId(1) }),
      routeOf({ path: '/open', targets: [service.target(1)] }),
    ];
    await empty.server.serve({ section: [ingressOf(1, { routes })], ca: undefined, policies: [policyOf(1)] });
    assert.equal((await empty.ask(WWW)).status, 503);
    assert.equal((await empty.ask(WWW, { path: '/open' })).status, 200);
    assert.match(empty.server.observed()[0]?.problem ?? '', /no Core Rule Set/);
  });
});
