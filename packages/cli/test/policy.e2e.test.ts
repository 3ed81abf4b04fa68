import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Policy, PolicyVersion, Preview } from '@meshwork/contract';
import { type RealFleet, realFleet } from './real-fleet.ts';

const CLOSED = `{
  "groups": { "sims": ["tag:role:sim"] },
  "grants": [], // no access yet
}
`;
const OPEN = `{
  "groups": { "sims": ["tag:role:sim"] },
  "grants": [{ "from": "sims", "to": "sims", "allow": ["tcp:22"] }],
  "tests": [{ "from": "sim-1", "allow": ["sim-2:tcp:22"], "deny": ["sim-2:tcp:23"] }],
}
`;
const FAILING = OPEN.replace('"allow": ["sim-2:tcp:22"], "deny": ["sim-2:tcp:23"]', '"deny": ["sim-2:tcp:22"]');

/** The policy of a real fleet, driven by the program alone. The steps build on each other. */
describe('mesh with a policy', () => {
  let fleet: RealFleet;
  const run = (...args: string[]) => fleet.run(...args);
  const answer = <T>(...args: string[]) => fleet.answer<T>(...args);

  before(async () => {
    fleet = await realFleet();
    const typo = OPEN.replace('"from": "sims"', '"from": "simz"');
    const files = { 'closed.jsonc': CLOSED, 'open.jsonc': OPEN, 'typo.jsonc': typo, 'failing.jsonc': FAILING };
    for (const [name, text] of Object.entries(files)) await writeFile(join(fleet.folder, name), text);
  });
  after(() => fleet?.[Symbol.asyncDispose]());

  it('starts with one that came with the mesh', async () => {
    const { code, stdout, stderr } = await run('acl', 'show');
    assert.equal(code, 0);
    assert.match(stderr, /^version 0, default of a new mesh$/m);
    assert.match(stdout, /^\/\/ Who may reach what/);
  });

  it('says by line and column what is wrong with a text, and changes nothing', async () => {
    const place = /^typo\.jsonc:3:24 {2}.*"simz".*"sims".*\n {6}"grants": \[\{ "from": "simz", .*\n {27}\^$/m;
    const [set, looked, tried] = [
      await run('acl', 'set', 'typo.jsonc'),
      await run('acl', 'validate', 'typo.jsonc'),
      await run('acl', 'preview', 'typo.jsonc'),
    ];
    assert.deepEqual([set.code, looked.code, tried.code], [2, 2, 2]);
    assert.match(set.stderr, place);
    assert.match(set.stderr, /^request id: req_/m);
    assert.match(tried.stderr, place);
    assert.match(looked.stdout, place);
    assert.equal((await answer<Policy>('acl', 'show')).version, 0);
  });

  it('puts one into effect, with a note, and the same once more is nothing', async () => {
    const first = await run('acl', 'set', 'closed.jsonc', '--note', 'closed');
    assert.deepEqual([first.code, first.stdout], [0, 'version 1 is in effect: 1 group, 0 grants\n']);
    const again = await run('acl', 'set', 'closed.jsonc');
    assert.equal(again.stdout, 'nothing changed: version 1 has this text already\n');
    const shown = await run('acl', 'show');
    assert.equal(shown.stdout, CLOSED);
    assert.match(shown.stderr, /^version 1, by bootstrap, .*: closed$/m);
  });

  it('explains why nothing gets through', async () => {
    const { code, stdout } = await run('explain', 'sim-1', 'sim-2:22');
    assert.equal(code, 10);
    assert.match(stdout, /^DENIED {2}/);
    assert.match(stdout, /^ {2}✓ source +sim-1 /m);
    assert.match(stdout, /^ {2}✗ grant /m);
    assert.match(stdout, /^Fix:\n {2}- /m);
  });

  it('shows what another would open, and who would notice', async () => {
    const { code, stdout } = await run('acl', 'preview', 'open.jsonc');
    assert.equal(code, 0);
    assert.match(stdout, /^opens {2}sims -> sims {2}tcp:22 {2}6 pairs\n3 nodes would change: sim-1, sim-2, sim-3\n$/);
    assert.deepEqual((await answer<Preview>('acl', 'preview', 'closed.jsonc')).opened, []);
  });

  it('refuses one whose own tests fail', async () => {
    const tried = await run('acl', 'validate', 'failing.jsonc');
    assert.equal(tried.code, 2);
    assert.match(tried.stdout, /^tests\[0\] {2}sim-1 must not reach sim-2:tcp:22\. /);
    const set = await run('acl', 'set', 'failing.jsonc');
    assert.equal(set.code, 2);
    assert.match(
      set.stderr,
      /^mesh: failing\.jsonc was refused: tests of the policy fail\nfailing\.jsonc {2}\/tests\/0 /m,
    );
  });

  it('explains that it gets through, once a grant says so', { timeout: 120_000 }, async () => {
    const late = await run('acl', 'set', 'open.jsonc', '--if-version', '0');
    assert.equal(late.code, 5);
    assert.equal((await answer<Policy>('acl', 'set', 'open.jsonc', '--if-version', '1')).version, 2);
    let asked = await run('explain', 'sim-1', 'sim-2:22');
    // It is not known to work before both ends have said that they put it into effect.
    while (asked.code === 11) asked = await run('explain', 'sim-1', 'sim-2:22');
    assert.equal(asked.code, 0, asked.stdout);
    assert.match(asked.stdout, /^ALLOWED {2}/);
    assert.match(asked.stdout, /^ {2}✓ grant +sims -> sims/m);
    assert.doesNotMatch(asked.stdout, /^Fix:/m);
    assert.equal((await run('explain', 'sim-1', 'sim-2:23')).code, 10);
  });

  it('keeps every version, compares them and brings one back', async () => {
    const { items } = await answer<{ items: PolicyVersion[] }>('acl', 'versions');
    assert.deepEqual(
      items.map(({ version, note }) => [version, note]),
      [
        [2, null],
        [1, 'closed'],
        [0, null],
      ],
    );
    assert.match((await run('acl', 'versions')).stdout, /^VERSION .*\n2 .*bootstrap +1 +1 +-\n1 .* closed\n0 +- +- /);
    const { stdout } = await run('acl', 'diff', '1');
    assert.match(stdout, /^- {2}"grants": \[\], \/\/ no access yet\n\+ {2}"grants": \[\{/m);
    const restored = await run('acl', 'restore', '1', '--note', 'too early');
    assert.deepEqual(
      [restored.code, restored.stdout],
      [0, 'version 3 is in effect, restored from version 1: 1 group, 0 grants\n'],
    );
    assert.equal((await run('acl', 'version', '3')).stdout, CLOSED);
    assert.equal((await run('acl', 'version', '9')).code, 4);
  });
});
