/** Two panels on one PostgreSQL: a person who signs in must see one. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SignedIn } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { type RunningPanel, readConfig, startPanel } from '../src/index.ts';
import { PASSWORD, type TestBrowser, TestPanel } from './harness.ts';

describe('two panels on one store', () => {
  let server: PostgresServer;
  let first: TestPanel;
  let second: RunningPanel;
  let owner: TestBrowser;

  before(async () => {
    server = await startPostgresServer();
    first = await TestPanel.start({ MESH_PANEL_STORE: await server.newDatabase() });
    second = await startPanel(readConfig(first.env), { clock: first.clock });
    first.setup_code = second.setup_code; // the newest counts
    await first.until(async () => {
      owner = first.browser();
      const body = { code: second.setup_code, name: 'grace', password: PASSWORD };
      return (await owner.ask('POST', '/api/v1/setup', { body })).status === 201; // once it has the code
    });
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  /** The same browser at the other panel, as behind one name. */
  const elsewhere = (browser: TestBrowser): TestBrowser => Object.assign(browser.copy(), { url: second.url });
  const isIn = async (browser: TestBrowser) => (await browser.ask('GET', '/api/v1/profile')).status === 200;

  it('know each other’s sessions, and their tokens against forged requests', async () => {
    const other = elsewhere(owner);
    await first.until(() => isIn(other));
    assert.equal((await other.ask('PATCH', '/api/v1/profile', { body: { appearance: 'dark' } })).status, 200);
  });

  it('end a session everywhere', async () => {
    const browser = await first.signIn('grace');
    const other = elsewhere(browser);
    await first.until(() => isIn(other));
    await browser.must(204, 'POST', '/api/v1/auth/logout', { body: {} });
    await first.until(async () => !(await isIn(other)));
  });

  it('make no second owner out of one name, and leave one owner when two demote each other', async () => {
    const ada = await first.person(owner, { name: 'ada', role: 'owner' });
    const { user: a } = (await ada.state()) as SignedIn;
    const { user: g } = (await owner.state()) as SignedIn;
    const there = elsewhere(ada);
    await first.until(() => isIn(there));
    const [one, other] = await Promise.all([
      owner.ask('PATCH', `/api/v1/users/${a.id}`, { body: { role: 'viewer' } }),
      there.ask('PATCH', `/api/v1/users/${g.id}`, { body: { role: 'viewer' } }),
    ]);
    assert.equal([one, other].filter(({ status }) => status === 200).length, 1, `${one.text} ${other.text}`);
  });
});
