import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { openssl, requestOf, verifyChain } from '../test/openssl.ts';
import {
  type CertificateNames,
  issueCertificate,
  makeIntermediate,
  makeRevocationList,
  makeRoot,
  type OpenIssuer,
  openIssuer,
  type Revoked,
  readRequest,
  type Usage,
} from './index.ts';
import { makeRequest } from './make-request.ts';
import { pemOf } from './pem.ts';

const DAY_MS = 24 * 3600 * 1000;
const now_ms = Math.floor(Date.now() / 1000) * 1000;
const lasts = (days: number) => ({
  not_before: new Date(now_ms - 60_000),
  not_after: new Date(now_ms + days * DAY_MS),
});
const constraints = {
  domains: ['mesh'],
  networks: ['100.64.0.0/10', 'fd4c:9a1e:77b0::/64'],
  trust_domain: '9f86d081884c7d659a2feaa0c5.mesh',
};
const NODE: CertificateNames = {
  dns: ['git-1.mesh'],
  addresses: ['100.64.0.7', 'fd4c:9a1e:77b0::6440:7'],
  uris: ['spiffe://9f86d081884c7d659a2feaa0c5.mesh/node/git-1'],
};

let root: OpenIssuer;
let intermediate: OpenIssuer;
let serials = 0;

const serial = () => (0x4a00_0000 + ++serials).toString(16);
const pem = (issuer: OpenIssuer) => pemOf('CERTIFICATE', new Uint8Array(issuer.certificate.rawData));
const list = async (issuer: OpenIssuer, revoked: readonly Revoked[] = []) =>
  pemOf(
    'X509 CRL',
    makeRevocationList(issuer, {
      number: now_ms,
      made_at: new Date(now_ms),
      next_at: new Date(now_ms + DAY_MS),
      revoked,
    }),
  );

async function issue(names: CertificateNames, { key = '', usages = ['server', 'client'] as readonly Usage[] } = {}) {
  const request = await readRequest(key === '' ? (await makeRequest()).request : key);
  assert.ok('public_key' in request, JSON.stringify(request));
  const own = serial();
  const der = issueCertificate(intermediate, {
    public_key: request.public_key,
    names,
    usages,
    serial: own,
    ...lasts(7),
  });
  return { serial: own, chain: pemOf('CERTIFICATE', der) + pem(intermediate) };
}

async function verify(chain: string, revoked: readonly Revoked[] = [], purpose?: 'sslserver' | 'sslclient') {
  const revocation_lists = (await list(root)) + (await list(intermediate, revoked));
  await verifyChain({ roots: pem(root), chain, revocation_lists, ...(purpose === undefined ? {} : { purpose }) });
}

before(async () => {
  const made = await makeRoot({ name: 'Test root', serial: serial(), constraints, ...lasts(3650) });
  root = await openIssuer(made);
  intermediate = await openIssuer(
    await makeIntermediate(root, { name: 'Test intermediate', serial: serial(), constraints, ...lasts(90) }),
  );
});

describe('what OpenSSL thinks of a chain', () => {
  it('is good for a node, as server and as client', async () => {
    const { chain } = await issue(NODE);
    await verify(chain);
    await verify(chain, [], 'sslserver');
    await verify(chain, [], 'sslclient');
  });

  it('is good for every type of key that a request may have', async () => {
    const keys = [['ec', '-pkeyopt', 'ec_paramgen_curve:P-384'], ['ed25519'], ['rsa:2048']];
    for (const key of keys) await verify((await issue(NODE, { key: await requestOf({ key }) })).chain, [], 'sslserver');
  });

  it('is that a certificate for a client is none for a server', async () => {
    const { chain } = await issue(NODE, { usages: ['client'] });
    await verify(chain, [], 'sslclient');
    await assert.rejects(verify(chain, [], 'sslserver'), /unsuitable certificate purpose/);
  });

  it('is that a revoked certificate is revoked, for any reason or none', async () => {
    for (const reason of ['unspecified', 'key_compromise', 'superseded'] as const) {
      const { chain, serial: own } = await issue(NODE);
      await assert.rejects(verify(chain, [{ serial: own, at: new Date(now_ms), reason }]), /certificate revoked/);
      await verify(chain, [{ serial: '5b', at: new Date(now_ms), reason }]);
    }
  });

  it('is that an authority of ours cannot certify what is not of the mesh', async () => {
    const outside: readonly CertificateNames[] = [
      { dns: ['example.org'], addresses: [], uris: [] },
      { dns: ['git-1.mesh'], addresses: ['192.0.2.7'], uris: [] },
      { dns: ['git-1.mesh'], addresses: ['2001:db8::7'], uris: [] },
      { dns: ['git-1.mesh'], addresses: [], uris: ['spiffe://example.org/node/git-1'] },
      { dns: ['notmesh'], addresses: [], uris: [] },
    ];
    for (const names of outside) {
      await assert.rejects(verify((await issue(names)).chain), /permitted subtree violation/, JSON.stringify(names));
    }
  });

  it('is that a list has a number, and says X509 CRL', async () => {
    const text = await list(intermediate, [{ serial: '5b', at: new Date(now_ms), reason: 'key_compromise' }]);
    const shown = await openssl(['crl', '-in', 'crl.pem', '-noout', '-text'], { 'crl.pem': text });
    assert.match(shown, /X509v3 CRL Number:\s+\S+/);
    assert.match(shown, /Key Compromise/);
    assert.match(text, /^-----BEGIN X509 CRL-----\n/);
  });
});
