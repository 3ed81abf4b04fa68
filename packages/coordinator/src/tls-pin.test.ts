import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tlsPin } from './tls-pin.ts';

const run = promisify(execFile);
const KEYS = { ec: ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'], rsa: ['rsa:2048'], ed25519: ['ed25519'] };

for (const [name, newkey] of Object.entries(KEYS)) {
  test(`the pin of a certificate with a key of ${name} is what openssl says, and stays when it is renewed`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-pin-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const at = (file: string) => join(folder, file);
    const subject = ['-subj', '/CN=localhost', '-nodes', '-days', '1'];
    await run('openssl', ['req', '-x509', '-newkey', ...newkey, ...subject, '-keyout', at('key'), '-out', at('cert')]);
    await run('openssl', ['req', '-x509', '-key', at('key'), ...subject, '-out', at('renewed')]);
    await run('openssl', ['req', '-x509', '-newkey', 'ed25519', ...subject, '-keyout', at('k2'), '-out', at('other')]);
    await run('openssl', ['x509', '-in', at('cert'), '-noout', '-pubkey', '-out', at('public')]);
    await run('openssl', ['pkey', '-pubin', '-in', at('public'), '-outform', 'der', '-out', at('der')]);
    const [cert = '', renewed = '', other = ''] = await Promise.all(
      ['cert', 'renewed', 'other'].map((file) => readFile(at(file), 'utf8')),
    );
    const pin = `sha256:${hash('sha256', await readFile(at('der')), 'base64url')}`;
    assert.deepEqual([tlsPin(cert), tlsPin(renewed), tlsPin(cert + other)], [pin, pin, pin]);
    assert.notEqual(tlsPin(other), pin);
  });
}
