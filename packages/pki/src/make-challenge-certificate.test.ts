import assert from 'node:assert/strict';
import { createPrivateKey, hash, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { readChallengeCertificate } from './challenge-certificate.ts';
import { makeChallengeCertificate } from './make-challenge-certificate.ts';

test('what answers a challenge says its name and the digest of the answer, with a key of its own', async () => {
  const answer = {
    hostname: `${'a'.repeat(63)}.example.com`,
    key_authorization: 'token.thumbprint',
    now_ms: Date.now(),
  };
  const { certificate, private_key } = await makeChallengeCertificate(answer);
  const read = new X509Certificate(certificate);
  const shown_sha256 = hash('sha256', 'token.thumbprint', 'hex');
  const found = readChallengeCertificate(new Uint8Array(read.raw));
  assert.deepEqual([[...(found?.names ?? [])], found?.shown_sha256], [[answer.hostname], shown_sha256]);
  assert.ok(read.checkPrivateKey(createPrivateKey(private_key)));
  assert.ok(read.verify(read.publicKey), 'signed by itself, as the protocol has it');
  assert.equal(read.subject, read.issuer);
  assert.ok(read.validFromDate.getTime() < Date.now() && read.validToDate.getTime() > Date.now());
  const other = await makeChallengeCertificate(answer);
  assert.notEqual(other.private_key, private_key);
});
