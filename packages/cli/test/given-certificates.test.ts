/** `mesh ingress certificate` against a real coordinator: keys come from files or standard input, and are never printed. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { givenAuthority } from '@meshwork/coordinator/testing';
import { Desk } from './desk.ts';
import { SUITE_MS } from './run-mesh.ts';

const SECRET = /PRIVATE KEY|MIG[A-Za-z0-9]{10}/;

describe('mesh ingress certificate', { timeout: SUITE_MS }, () => {
  let desk: Desk;
  let authority: Awaited<ReturnType<typeof givenAuthority>>;
  before(async () => {
    [desk, authority] = await Promise.all([Desk.open(), givenAuthority()]);
  });
  after(() => desk?.[Symbol.asyncDispose]());

  const issue = async (name: string, ...names: readonly string[]) => {
    const { chain, private_key } = await authority.issue({ names: names.map((one) => `DNS:${one}`) });
    await writeFile(join(desk.folder, `${name}.pem`), chain);
    await writeFile(join(desk.folder, `${name}.key`), private_key);
  };
  const failed = async (block: string): Promise<string> => {
    const error = await desk.run(block).then(
      (text) => assert.fail(text),
      (reason: Error) => reason,
    );
    return error.message;
  };

  it('brings one from files or standard input, shows it without its key, and replaces it', async () => {
    await issue('shop', 'shop.example.net', 'www.shop.example.net', 'api.shop.example.net');
    const made = await desk.run('mesh ingress certificate create shop --chain shop.pem --key - < shop.key');
    assert.match(made, /^for +shop\.example\.net, www\.shop\.example\.net, api\.shop\.example\.net$/m);
    assert.match(made, /^issued by +CN=Intermediate, O=Test Authority$/m);
    assert.doesNotMatch(made, SECRET);
    const used = await desk.run(
      'mesh ingress create shop --hostname shop.example.net --service web --gateway tag:role:gateway --certificate shop',
    );
    assert.match(used, /^TLS +given certificate given_\w+, plain HTTP is redirected$/m);
    const list = await desk.run('mesh ingress certificate list');
    assert.match(list, /shop +shop\.example\.net, www\.shop\.example\.net \+1 +valid +brought +\S+ +shop +-/);
    await issue('renewed', 'shop.example.net');
    const replaced = await desk.run('mesh ingress certificate set shop --chain renewed.pem --key renewed.key');
    assert.match(replaced, /^replaced +/m);
    assert.match(replaced, /shop +shop\.example\.net +yes/);
    const json = await desk.run('mesh ingress certificate show shop --json');
    assert.deepEqual(JSON.parse(json).names, ['shop.example.net']);
    assert.doesNotMatch(json, SECRET);
  });

  it('says by the names of its flags what is wrong, and repeats no part of a key', async () => {
    await issue('one', 'one.example.net');
    await issue('other', 'other.example.net');
    const mixed = await failed('mesh ingress certificate create one --chain one.pem --key other.key');
    assert.match(mixed, /--key is for another certificate/);
    const turned = await failed('mesh ingress certificate create one --chain one.key --key one.pem');
    assert.match(turned, /--chain has a private key in it/);
    const value = await failed('mesh ingress certificate create one --chain one.pem --key "$(cat one.key)"');
    assert.match(value, /--key takes the name of a file, or - for standard input, and not the key itself/);
    const lacking = await failed('mesh ingress certificate create one --chain one.pem');
    assert.match(lacking, /missing --key/);
    for (const text of [mixed, turned, value, lacking]) assert.doesNotMatch(text, /MIG[A-Za-z0-9]{10}/);
  });

  it('removes one that no ingress shows, and says who does', async () => {
    assert.match(
      await failed('mesh ingress certificate remove shop --yes'),
      /The ingress "shop" shows the certificate/,
    );
    await desk.run('mesh ingress set shop --certificate mesh');
    await desk.run('mesh ingress certificate remove shop --yes');
    assert.match(await failed('mesh ingress certificate show shop'), /There is no given certificate "shop"/);
  });
});
