import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestOf } from '../test/openssl.ts';
import { makeRequest } from './make-request.ts';
import { readRequest } from './read-request.ts';

const faultsOf = async (pem: string) => {
  const read = await readRequest(pem);
  return 'faults' in read ? read.faults : [];
};
const san = (names: string) => ({ extensions: [`subjectAltName=${names}`] });

describe('a certificate request', () => {
  it('is read with its key and every name it asks for', async () => {
    const names =
      'DNS:GIT-1.mesh,DNS:git-1.mesh,IP:100.64.0.7,IP:fd4c:9a1e:77b0:0:0:0:6440:7,URI:spiffe://x.mesh/node/git-1';
    const read = await readRequest(await requestOf({ subject: '/CN=git-1.mesh', ...san(names) }));
    assert.ok('key_type' in read);
    assert.deepEqual(
      [read.key_type, read.common_name, read.names, read.usages],
      [
        'EC P-256',
        'git-1.mesh',
        {
          dns: ['git-1.mesh'],
          addresses: ['100.64.0.7', 'fd4c:9a1e:77b0::6440:7'],
          uris: ['spiffe://x.mesh/node/git-1'],
        },
        null,
      ],
    );
  });

  it('of a node names nothing', async () => {
    const read = await readRequest((await makeRequest()).request);
    assert.ok('key_type' in read);
    assert.deepEqual([read.common_name, read.names], [null, { dns: [], addresses: [], uris: [] }]);
  });

  it('may say what a certificate of ours has anyway', async () => {
    const extensions = [
      'basicConstraints=critical,CA:FALSE',
      'keyUsage=digitalSignature,keyEncipherment',
      'extendedKeyUsage=serverAuth',
    ];
    const read = await readRequest(await requestOf({ extensions: [...extensions, 'subjectKeyIdentifier=hash'] }));
    assert.ok('key_type' in read, JSON.stringify(read));
    assert.deepEqual(read.usages, ['server']);
  });

  const refused: readonly (readonly [string, Parameters<typeof requestOf>[0], readonly string[]])[] = [
    ['an authority', { extensions: ['basicConstraints=CA:TRUE'] }, ['asks for an authority (CA:TRUE)']],
    [
      'signing certificates',
      { extensions: ['keyUsage=keyCertSign'] },
      ['asks for key usages other than digitalSignature and keyEncipherment'],
    ],
    [
      'signing code',
      { extensions: ['extendedKeyUsage=codeSigning'] },
      ['asks for the extended key usage 1.3.6.1.5.5.7.3.3'],
    ],
    ['an extension of its own', { extensions: ['1.2.3.4=ASN1:NULL'] }, ['asks for the extension 1.2.3.4']],
    ['constraints', { extensions: ['nameConstraints=permitted;DNS:org'] }, ['asks for the extension 2.5.29.30']],
    ['a wildcard', san('DNS:*.mesh'), ['asks for the DNS name "*.mesh", a wildcard']],
    ['a wildcard inside', san('DNS:a.*.mesh'), ['asks for the DNS name "a.*.mesh", a wildcard']],
    [
      'a name with a space',
      san('DNS:git 1.mesh'),
      ['asks for the DNS name "git 1.mesh", which has control characters or spaces'],
    ],
    [
      'a name that ends in a dot',
      san('DNS:git-1.mesh.'),
      ['asks for the DNS name "git-1.mesh.", which is no host name'],
    ],
    ['an underscore', san('DNS:git_1.mesh'), ['asks for the DNS name "git_1.mesh", which is no host name']],
    [
      'an e-mail address',
      san('email:a@b.mesh'),
      ['asks for a name that is neither a DNS name, an address nor a SPIFFE id'],
    ],
    ['another URI', san('URI:https://git-1.mesh/'), ['asks for the URI "https://git-1.mesh/", which is no SPIFFE id']],
    [
      'an organisation',
      { subject: '/O=ACME/CN=git-1.mesh' },
      ['has O in its subject; only a common name can be there'],
    ],
    ['two common names', { subject: '/CN=a.mesh/CN=b.mesh' }, ['has several common names']],
    ['a short RSA key', { key: ['rsa:1024'] }, ['has an RSA key of 1024 bits; take 2048, 3072 or 4096']],
    ['an odd RSA key', { key: ['rsa:2056'] }, ['has an RSA key of 2056 bits; take 2048, 3072 or 4096']],
    [
      'an RSA key with a small exponent',
      { key: ['rsa:2048', '-pkeyopt', 'rsa_keygen_pubexp:3'] },
      ['has an RSA key with the exponent 3; take 65537'],
    ],
    [
      'another curve',
      { key: ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1'] },
      ['has a key on the curve secp256k1; take P-256 or P-384'],
    ],
    ['a key that cannot sign for TLS', { key: ['ed448'] }, ['has a key of type ed448; take EC, Ed25519 or RSA']],
    ['a signature by SHA-1', { more: ['-sha1'] }, ['is not signed by the key that is in it']],
  ];
  for (const [what, given, faults] of refused) {
    it(`is refused when it has ${what}`, async () => {
      assert.deepEqual(await faultsOf(await requestOf(given)), faults);
    });
  }

  it('is refused with every fault at once', async () => {
    const faults = await faultsOf(
      await requestOf({ subject: '/O=ACME', extensions: ['basicConstraints=CA:TRUE', 'subjectAltName=DNS:*.mesh'] }),
    );
    assert.equal(faults.length, 3);
  });

  it('is refused with more names than one certificate may have', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `DNS:n${index}.mesh`).join(',');
    assert.deepEqual(await faultsOf(await requestOf(san(names))), ['asks for 101 names; 100 are possible']);
  });

  it('is refused when it is none', async () => {
    const { request } = await makeRequest();
    const notPem = ['is not PEM with one CERTIFICATE REQUEST in it'];
    assert.deepEqual(await faultsOf('hello'), notPem);
    assert.deepEqual(await faultsOf(request + request), notPem);
    assert.deepEqual(await faultsOf(request.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')), notPem);
    const cut = request.split('\n').toSpliced(2, 1).join('\n');
    assert.deepEqual(await faultsOf(cut), ['cannot be read as PKCS #10']);
  });

  it('is refused when another key signed it', async () => {
    const lines = (await makeRequest()).request.trim().split('\n');
    const der = Buffer.from(lines.slice(1, -1).join(''), 'base64');
    der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    assert.deepEqual(await faultsOf(forged), ['is not signed by the key that is in it']);
  });
});
