/** Certificates that operators bring: what is taken, and in which words the rest is refused. */
import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { givenAuthority, issueGiven } from '../test/given.ts';
import { openssl } from '../test/openssl.ts';
import { type GivenRead, type GivenResult, readGiven } from './given-chain.ts';

const DAY_MS = 86_400_000;
type Authority = Awaited<ReturnType<typeof givenAuthority>>;

function taken(result: GivenResult): GivenRead {
  assert.ok(!('faults' in result), JSON.stringify(result));
  return result;
}

function faults(result: GivenResult): readonly string[] {
  assert.ok('faults' in result, 'it was taken');
  return result.faults.map(({ part, detail }) => `${part} ${detail}`);
}

describe('a certificate that an operator brings', () => {
  let authority: Authority;
  let shop: Awaited<ReturnType<Authority['issue']>>;
  const now = Date.now();
  before(async () => {
    authority = await givenAuthority();
    shop = await authority.issue({
      names: ['DNS:shop.example.net', 'DNS:*.Shop.example.net', 'IP:192.0.2.7', 'email:a@b.c'],
    });
  });
  const read = (more: { chain?: string; private_key?: string } = {}, at = now) =>
    readGiven({ chain: shop.chain, private_key: shop.key, ...more }, at);

  it('says who it is for, who issued it and until when', () => {
    const given = taken(read());
    const leaf = new X509Certificate(shop.certificate);
    assert.deepEqual(given.names, ['shop.example.net', '*.shop.example.net', '192.0.2.7']);
    assert.equal(given.fingerprint, leaf.fingerprint256.replaceAll(':', '').toLowerCase());
    assert.equal(given.issuer, 'CN=Intermediate, O=Test Authority');
    assert.equal(given.key_type, 'EC P-256');
    assert.equal(given.not_after_ms, leaf.validToDate.getTime());
    assert.deepEqual([given.self_signed, given.serial], [false, leaf.serialNumber.toLowerCase()]);
    assert.ok((given.issuers_not_after_ms ?? 0) > given.not_after_ms);
    assert.equal(given.chain.match(/BEGIN CERTIFICATE/g)?.length, 2);
  });

  it('is taken with a root at its end, which is not sent, and without any issuer', () => {
    const whole = taken(read({ chain: shop.chain + authority.root.certificate }));
    assert.equal(whole.chain.match(/BEGIN CERTIFICATE/g)?.length, 2);
    const alone = taken(read({ chain: `text before it\n${shop.certificate}` }));
    assert.deepEqual([alone.issuers_not_after_ms, alone.chain.match(/BEGIN/g)?.length], [null, 1]);
  });

  it('is taken where it is signed by itself, as for a trial', async () => {
    const own = await issueGiven({
      ca: true,
      names: ['DNS:trial.example.net'],
      key_usage: 'digitalSignature,keyCertSign',
    });
    assert.equal(taken(read({ chain: own.certificate, private_key: own.key })).self_signed, true);
  });

  it('takes every form of key that programs write, of every kind that gateways show', async () => {
    const kinds = [
      [['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'], 'RSA 2048', 'rsa'],
      [['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'], 'EC P-384', 'ec'],
      [['-algorithm', 'ED25519'], 'Ed25519', undefined],
    ] as const;
    for (const [key, key_type, form] of kinds) {
      const one = await authority.issue({ names: ['DNS:a.example.net'], key });
      assert.equal(taken(read({ chain: one.chain, private_key: one.key })).key_type, key_type);
      if (form === undefined) continue;
      const traditional = await openssl(
        form === 'rsa' ? ['rsa', '-in', 'key.pem', '-traditional'] : ['ec', '-in', 'key.pem'],
        { 'key.pem': one.key },
      );
      assert.match(traditional, /BEGIN (?:RSA|EC) PRIVATE KEY/);
      const parameters =
        form === 'ec' ? '-----BEGIN EC PARAMETERS-----\nBgUrgQQAIg==\n-----END EC PARAMETERS-----\n' : '';
      const result = taken(read({ chain: one.chain, private_key: parameters + traditional.replaceAll('\n', '\r\n') }));
      assert.match(result.private_key, /^-----BEGIN PRIVATE KEY-----/);
      assert.ok(new X509Certificate(one.certificate).checkPrivateKey(createPrivateKey(result.private_key)));
    }
  });

  it('refuses weak keys and curves that clients do not know', async () => {
    const small = await authority.issue({
      names: ['DNS:a.example.net'],
      key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
    });
    assert.match(
      faults(read({ chain: small.chain, private_key: small.key }))[0] ?? '',
      /^chain has an RSA key of 1024 bits; take/,
    );
    const odd = await authority.issue({
      names: ['DNS:a.example.net'],
      key: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp521r1'],
    });
    assert.match(
      faults(read({ chain: odd.chain, private_key: odd.key }))[0] ?? '',
      /^chain has a key on the curve secp521r1; take/,
    );
  });

  it('refuses a key of another certificate, and says where the right one is', async () => {
    const other = await authority.issue({ names: ['DNS:b.example.net'] });
    assert.deepEqual(faults(read({ private_key: other.key })), ['private_key is for another certificate']);
    const [hint] = faults(read({ private_key: authority.intermediate.key }));
    assert.equal(
      hint,
      'private_key is for another certificate: it is for certificate 2 of the chain, which has to be the first',
    );
  });

  it('refuses a key whose secret half is not that of its public half', async () => {
    const other = await authority.issue({ names: ['DNS:b.example.net'] });
    const jwk = createPrivateKey(shop.key).export({ format: 'jwk' });
    const { d = '' } = createPrivateKey(other.key).export({ format: 'jwk' });
    const broken = createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' });
    const reason = faults(read({ private_key: broken.toString() })).join();
    assert.match(reason, /^private_key (?:is broken|is for another certificate)/);
  });

  it('refuses what is no single plain key, and repeats no part of it', async () => {
    const encrypted = await openssl(['pkcs8', '-topk8', '-in', 'k.pem', '-passout', 'pass:secret'], {
      'k.pem': shop.key,
    });
    const old =
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n';
    const broken = shop.key.replace(/[A-Za-z0-9]{8}/, 'AAAAAAAA');
    const cases: readonly (readonly [string, RegExp])[] = [
      [encrypted, /is encrypted; decrypt it first/],
      [old, /is encrypted; decrypt it first/],
      [shop.key + shop.key, /is 2 keys/],
      [shop.key + shop.certificate, /has something beside it: a CERTIFICATE/],
      [shop.certificate, /is a CERTIFICATE, and no private key/],
      ['', /is not PEM/],
      ['nonsense', /is not PEM/],
      [broken.slice(0, 80), /cannot be read/],
      [broken, /cannot be read|is broken|is for another/],
    ];
    const secret = shop.key.split('\n')[1] ?? '';
    for (const [private_key, words] of cases) {
      const [first = ''] = faults(read({ private_key }));
      assert.match(first, words);
      assert.ok(!first.includes(secret.slice(10, 30)));
    }
  });

  it('refuses chains that are none', async () => {
    const { intermediate, root } = authority;
    const other = await givenAuthority('Other');
    const garbled = shop.certificate.replace(/\n[A-Za-z0-9+/]{8}/, '\nAAAAAAAA');
    const cases: readonly (readonly [string, RegExp])[] = [
      ['', /is not PEM/],
      ['-----BEGIN CERTIFICATE-----\n', /is not PEM/],
      [`${shop.certificate}-----BEGIN CERTIFICATE-----\nMIIB`, /cut off/],
      [garbled, /cannot be read: number 1/],
      [shop.chain + shop.key, /has a private key in it/],
      [`${shop.certificate}-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n`, /has a X509 CRL in it/],
      [intermediate.certificate + shop.certificate, /begins with the certificate of an authority/],
      [
        shop.certificate + root.certificate + intermediate.certificate,
        /is in no order: number 2 \(CN=Root, O=Test Authority\) did not sign number 1/,
      ],
      [shop.certificate + other.intermediate.certificate, /did not sign number 1/],
      [shop.chain + shop.chain, /twice/],
      [shop.chain + intermediate.certificate, /twice/],
      [shop.certificate.repeat(9), /has 9 certificates; 8 are possible/],
    ];
    for (const [chain, words] of cases) assert.match(faults(read({ chain })).join('; '), words);
  });

  it('refuses an issuer of the right name and another key', async () => {
    const twin = await givenAuthority(); // of the same names
    assert.match(
      faults(read({ chain: shop.certificate + twin.intermediate.certificate })).join(),
      /did not sign number 1/,
    );
  });

  it('refuses what is expired or not valid yet, by the clock that it is given', async () => {
    assert.match(faults(read({}, now + 91 * DAY_MS)).join(), /^chain expired at /);
    assert.match(faults(read({}, now - 3 * DAY_MS)).join(), /chain is not valid before /);
    const brief = await issueGiven({ ca: true, by: authority.root, subject: '/CN=Brief', to_ms: now + 5 * DAY_MS });
    const leaf = await issueGiven({ by: brief, names: ['DNS:a.example.net'] });
    const chain = leaf.certificate + brief.certificate;
    assert.equal(
      Math.round((taken(read({ chain, private_key: leaf.key })).issuers_not_after_ms ?? 0) / DAY_MS),
      Math.round((now + 5 * DAY_MS) / DAY_MS),
    );
    const [expired = ''] = faults(read({ chain, private_key: leaf.key }, now + 6 * DAY_MS));
    assert.match(expired, /^chain has a certificate that expired at .*: number 2 \(CN=Brief\)$/);
  });

  it('refuses what is for no server, or for no host', async () => {
    const reason = async (wanted: Parameters<Authority['issue']>[0]) => {
      const one = await authority.issue(wanted);
      return faults(read({ chain: one.chain, private_key: one.key })).join();
    };
    const names = ['DNS:a.example.net'];
    assert.match(await reason({ names, usage: 'clientAuth' }), /lacks serverAuth/);
    assert.match(await reason({ names, key_usage: 'keyEncipherment' }), /lacks digitalSignature/);
    assert.match(await reason({ names: [] }), /has no host name among its alternative names/);
    assert.match(await reason({ names: ['DNS:a_b.example.net', 'DNS:w*.example.net', 'DNS:*'] }), /has no host name/);
    assert.match(await reason({ names, digest: 'sha1' }), /has a signature that clients refuse/);
  });

  it('shows what an authority wrote on one line, bounded', async () => {
    const odd = await issueGiven({ ca: true, subject: `/CN=a\u202eb${'x'.repeat(40)}` });
    const leaf = await issueGiven({ by: odd, names: ['DNS:a.example.net'] });
    const { issuer } = taken(read({ chain: leaf.certificate + odd.certificate, private_key: leaf.key }));
    assert.doesNotMatch(issuer, /[\n\u202e]/);
  });

  it('answers to whatever it is given, and takes only what is as good as the original', () => {
    const { names, fingerprint } = taken(read());
    const pieces = fc.constantFrom(
      shop.certificate,
      authority.intermediate.certificate,
      authority.root.certificate,
      shop.key,
      '-----BEGIN CERTIFICATE-----\n',
      '-----END CERTIFICATE-----\n',
      '-----BEGIN PRIVATE KEY-----\n',
      '\u0000',
      'AAAA\n',
    );
    const spoiled = fc
      .tuple(fc.array(pieces, { maxLength: 6 }), fc.nat(), fc.string({ maxLength: 4 }), fc.nat(8))
      .map(([parts, at, text, length]) => {
        const whole = parts.join('');
        const place = whole.length === 0 ? 0 : at % whole.length;
        return length === 0 ? whole : whole.slice(0, place) + text + whole.slice(place + length);
      });
    const property = fc.property(spoiled, spoiled, fc.boolean(), (chain, key, own) => {
      const result = readGiven({ chain, private_key: own ? shop.key : key }, now);
      if ('faults' in result) {
        assert.ok(result.faults.length > 0);
        for (const { detail } of result.faults) assert.doesNotMatch(detail, /[A-Za-z0-9+/]{40}/);
      } else if (result.issuers_not_after_ms !== null) {
        // Only an issuer that is with it can say that nothing was changed.
        assert.deepEqual([result.names, result.fingerprint], [names, fingerprint]);
      }
    });
    fc.assert(property, { numRuns: 1500, examples: [[shop.chain, shop.key, true]] });
  });

  it('is not held up by ten megabytes of nonsense', () => {
    for (const piece of ['A', '-----BEGIN CERTIFICATE-----\n', '-----BEGIN CERTIFICATE-----\nAAAA\n', ' \n']) {
      const chain = piece.repeat(Math.floor(10_000_000 / piece.length));
      assert.ok(faults(read({ chain, private_key: chain })).length > 0);
    }
  });

  it('is what OpenSSL accepts as well', async () => {
    const { root, intermediate } = authority;
    const files = { 'root.pem': root.certificate, 'rest.pem': intermediate.certificate, 'leaf.pem': shop.certificate };
    const args = ['verify', '-purpose', 'sslserver', '-CAfile', 'root.pem', '-untrusted', 'rest.pem', 'leaf.pem'];
    assert.match(await openssl(args, files), /OK/);
  });
});
