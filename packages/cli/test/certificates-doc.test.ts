/** Runs what docs/operate/certificates.md has for `mesh`, as it stands there. The lab runs what needs nodes. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Scope } from '@meshwork/contract';
import { CERTIFICATES_PAGE_RUN, CertificatesPage, linesOf } from '@meshwork/lab/testing';
import { Desk } from './desk.ts';
import { SUITE_MS } from './run-mesh.ts';

const GIT = { team: 'platform', surface: 'git', environment: 'production' };
const VERIFY = 'openssl verify -x509_strict -crl_check_all -CAfile meshwork.crt -CRLfile lists.pem';

/** What `mesh` printed beside the name of a field. */
const fieldOf = (text: string, name: string) => new RegExp(`^${name} {2,}(.*)$`, 'm').exec(text)?.[1] ?? '';

/** With what is trusted and revoked now. */
async function fetchTrust(desk: Desk): Promise<void> {
  await writeFile(join(desk.folder, 'meshwork.crt'), (await desk.client.call('ca.bundle', {})).body);
  await writeFile(join(desk.folder, 'lists.pem'), (await desk.client.call('ca.crl', {})).body);
}

/** The token of a caller who may do nothing else, as an environment. */
async function issuerAt(desk: Desk, scope: Scope): Promise<Readonly<Record<string, string>>> {
  const role = 'issuer';
  await desk.client.call('roles.create', { body: { name: role, permissions: ['ca:issue'] } });
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await desk.client.call('tokens.create', { body: { name: role, role, scope, expires } });
  return { MESH_TOKEN: body.secret };
}

async function untilSwitched(desk: Desk): Promise<void> {
  await desk.until(async () => (await desk.client.call('ca.show')).body.rotation?.switched_at !== null);
}

/** All revocation lists, as text. */
async function listsAt(desk: Desk): Promise<string> {
  const { body } = await desk.client.call('ca.crl', {});
  const each = body.split(/(?<=END X509 CRL-----\n)/);
  for (const [place, list] of each.entries()) await writeFile(join(desk.folder, `list-${place}`), list);
  const shown = await desk.run('for list in list-*; do openssl crl -in $list -noout -text; done');
  return shown.toLowerCase();
}

describe('the documentation of certificates', { timeout: SUITE_MS }, () => {
  let page: CertificatesPage;
  let desk: Desk;
  let issuer: Readonly<Record<string, string>>;

  before(async () => {
    page = await CertificatesPage.open('mesh');
    desk = await Desk.open();
    issuer = await issuerAt(desk, GIT);
  });
  after(async () => {
    await desk?.[Symbol.asyncDispose]();
    assert.deepEqual(page.left, [], 'what this test is to run, and does not');
  });

  it('has no command that no test runs', () => {
    assert.deepEqual(page.shape, CERTIFICATES_PAGE_RUN);
  });

  it('shows what is there, and sets how long certificates of nodes are good', async () => {
    const [show = ''] = page.blocks('What is there after the first start');
    const shown = (await desk.run(show)).split('\n\n');
    assert.deepEqual(
      shown.map((one) => ['role', 'valid until', 'key'].map((name) => fieldOf(one, name).replace(/^\S+Z /, ''))),
      [
        ['root', '(in 3650 d)', 'in the installation'],
        ['intermediate', '(in 90 d)', 'in the installation'],
      ],
    );
    await desk.run(page.inText('mesh settings set'));
    assert.equal((await desk.client.call('settings.show')).body.ca.node_lifetime_s, 86_400);
  });

  it('replaces the authorities', async () => {
    const [block = ''] = page.blocks('Replacing the authorities');
    const [intermediate = '', root = '', show = ''] = linesOf(block, 3);
    // Either one or the other, and only a rotation that holds can be cancelled here: there are no nodes to wait for.
    await desk.run(root);
    assert.match(await desk.run(show), /rotation of the +root/);
    const { body: bundle } = await desk.client.call('ca.bundle', {});
    assert.equal(bundle.split('BEGIN CERTIFICATE').length, 3, 'both roots');
    assert.match(await desk.run(page.inText('mesh ca cancel-rotation')), /cancelled the rotation/);
    assert.equal((await desk.client.call('ca.show')).body.rotation, null);
    await desk.run(intermediate);
    await untilSwitched(desk);
    const { body } = await desk.client.call('ca.show');
    assert.equal(
      body.authorities.filter(({ role, state }) => role === 'intermediate' && state === 'retiring').length,
      1,
    );
  });

  it('issues certificates for services on a node, and for nothing else', async () => {
    const enrol = `mesh agent enroll --coordinator ${desk.url} --name git-1 --tag team:platform surface:git env:production`;
    await desk.run(`${enrol} --token-file ../data/bootstrap-token`);
    const [request = '', issue = ''] = page.blocks('A certificate for a service');
    await desk.run(request);
    await desk.run(issue, issuer);
    await fetchTrust(desk);
    for (const name of ['git-1.mesh', 'api.git-1.mesh']) {
      const checks = `-purpose sslserver -verify_hostname ${name} -untrusted git.pem git.pem`;
      assert.match(await desk.run(`${VERIFY} ${checks}`), /^git\.pem: OK$/m);
    }
    await desk.run(`${issue.trim().replace('git.csr', 'git.csr --profile client --lifetime 12h')}.client`, issuer);
    await desk.run(`${VERIFY} -purpose sslclient -untrusted git.pem.client git.pem.client`);
    await desk.run('openssl x509 -in git.pem.client -noout -checkend 42000');
    const longer = 'if openssl x509 -in git.pem.client -noout -checkend 43300; then exit 1; fi';
    assert.match(await desk.run(longer), /will expire/);
    const wide = request.replace('DNS:api.git-1.mesh', 'DNS:db-1.mesh,DNS:example.org').replace('git.csr', 'wide.csr');
    await desk.run(wide);
    await assert.rejects(desk.run('mesh ca issue wide.csr', issuer), /"db-1\.mesh"[\s\S]*"example\.org"/);
  });

  it('lets machines outside trust the mesh, and fetch its revocation lists', async () => {
    const [bundle = '', lists = '', address = ''] = page.blocks('Trusting the mesh from outside');
    const shown = await desk.run('mesh ca show');
    const active = shown.split('\n\n').filter((one) => fieldOf(one, 'state').startsWith('active'));
    const [root = '', intermediate = ''] = ['root', 'intermediate'].map((role) =>
      active.find((one) => fieldOf(one, 'role') === role),
    );
    assert.equal(await desk.run(bundle), `${fieldOf(root, 'SHA-256')}  -\n`);
    desk.put('5c1f8e0b7a3d4c22b9101f0c2a7e6d05', fieldOf(intermediate, 'serial'));
    const issuerOf = 'openssl crl -inform der -in mesh.crl -noout -issuer -nameopt multiline';
    for (const fetching of linesOf(lists, 2)) {
      assert.match(await desk.run(`rm -f mesh.crl\n${fetching}\n${issuerOf}`), RegExp(fieldOf(intermediate, 'name')));
    }
    await desk.run(address);
    const named = await desk.run('mesh ca issue git.csr | openssl x509 -noout -ext crlDistributionPoints', issuer);
    const [, url = ''] = /URI:(\S+)/.exec(named) ?? [];
    assert.equal(url, `${desk.url}/v1/ca/crl/${fieldOf(intermediate, 'serial')}`);
    await desk.run(`curl --silent --fail -o mesh.crl ${url}\n${issuerOf}`);
  });

  it('takes certificates back', async () => {
    const [block = ''] = page.blocks('Taking one back');
    const [list = '', revoke = '', revokeAll = ''] = linesOf(block, 3);
    const rows = (await desk.run(list)).trim().split('\n').slice(1);
    const [id = ''] = rows.find((row) => row.includes('client'))?.split(' ') ?? [];
    desk.put('CERTIFICATE', id);
    assert.equal(fieldOf(await desk.run(revoke), 'state').replace(/.* \(/, '('), '(key_compromise)');
    assert.match(await desk.run(revokeAll), RegExp(`^revoked ${rows.length - 1} certificates$`, 'm'));
    await desk.run('openssl req -x509 -newkey ed25519 -nodes -keyout other.key -subj / -days 1 -out cert.pem');
    const [, serial = ''] = /^serial=(\S+)$/m.exec(await desk.run(page.inText('openssl x509'))) ?? [];
    desk.put('5C1F…', serial.toLowerCase());
    await desk.run(page.inText('mesh ca revoke-all --serial'));
    const { items } = (await desk.client.call('ca.certificates', { query: { state: 'revoked' } })).body;
    const revoked = [...items.map((one) => one.serial), serial.toLowerCase()];
    assert.equal(items.length, rows.length);
    await desk.until(async () => {
      const listed = await listsAt(desk);
      return revoked.every((one) => listed.includes(one));
    });
    await fetchTrust(desk);
    await assert.rejects(desk.run(`${VERIFY} -untrusted git.pem git.pem`), /certificate revoked/);
  });

  it('turns the master key over, and leaves the new one alone in its file', async () => {
    const said: string[] = [];
    for (const block of page.blocks('Turning the master key over')) said.push(await desk.run(block));
    const [first = '', last = ''] = said.filter((text) => text.includes('the master key'));
    const [, key = ''] = /the master key ([0-9a-f]{16}) seals everything now \(\d secrets\)/.exec(first) ?? [];
    assert.match(first, /Take [0-9a-f]{16} out of the file of every coordinator/);
    assert.equal(last, `the master key ${key} seals everything already\nNo other key is in the file.\n`);
    assert.equal((await readFile(join(desk.folder, '../data/master-key'), 'utf8')).trim().split('\n').length, 1);
  });

  it('issues a certificate for an ingress, once a root certifies its domain', async () => {
    await using own = await Desk.open();
    const [domains = '', issue = ''] = page.blocks('A certificate for an ingress');
    const [name = '', rotate = ''] = linesOf(domains, 2);
    await own.run(name);
    const missing = 'The root does not certify corp.example.org: rotate it with `mesh ca rotate --what root`.';
    assert.ok((await own.run('mesh ca show')).includes(missing));
    await own.run(rotate);
    await untilSwitched(own);
    assert.deepEqual((await own.client.call('ca.show')).body.uncertified_domains, []);
    const token = await issuerAt(own, GIT);
    const policy = { domain_owners: { '*.corp.example.org': ['scope:platform/git/production'] } };
    await own.client.call('acls.replace', { body: JSON.stringify(policy) });
    const ingress = {
      name: 'shop',
      hostname: 'shop.corp.example.org',
      service: 'shop',
      gateways: ['tag:role:gateway'],
    };
    await own.client.call('ingress.create', { body: { ...ingress, scope: GIT } });
    await own.run(issue, token);
    await fetchTrust(own);
    const checks = '-purpose sslserver -verify_hostname shop.corp.example.org -untrusted shop.pem shop.pem';
    assert.match(await own.run(`${VERIFY} ${checks}`), /^shop\.pem: OK$/m);
  });

  it('takes the key of the root out, and an intermediate in that was signed with it', async () => {
    await using own = await Desk.open();
    const said: string[] = [];
    for (const block of page.blocks('The key of the root')) {
      said.push(await own.run(block));
      if (block.includes('request-intermediate')) {
        assert.match(await own.run(page.inText('openssl req')), /CA:TRUE, pathlen:0[\s\S]*X509v3 Name Constraints/);
      }
      // Both ways make the same files: what the first one made is looked at before the second one makes it anew.
      if (!block.includes('intermediate.pem') && !block.includes('sign-intermediate')) continue;
      await fetchTrust(own);
      const check = 'openssl verify -x509_strict -crl_check -CRLfile root.crl -CAfile meshwork.crt intermediate.pem';
      assert.match(await own.run(check), /^intermediate\.pem: OK$/m);
    }
    assert.ok(said.some((text) => /^key +kept outside the installation$/m.test(text)));
    assert.match(said.at(-1) ?? '', /rotation of the +intermediate/);
    await assert.rejects(own.run('mesh ca rotate'), /rotat/);
    assert.doesNotMatch(await own.run('cat intermediate.csr intermediate.pem root.crl'), /PRIVATE KEY/);
  });

  it('replaces a root that was lost', async () => {
    await using own = await Desk.open();
    for (const block of page.blocks('When the root is lost')) await own.run(block);
    const bundle = await readFile(join(own.folder, 'meshwork.crt'), 'utf8');
    assert.equal(bundle.split('BEGIN CERTIFICATE').length, 3, 'both roots');
  });
});
