import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '@meshwork/contract';
import { chainProblem, keyProblem, namesWords, shownWords } from './given-words.ts';

const example = OPERATIONS['given_certificates.show'].example.answer;

test('names and gateways are counted where they do not fit', () => {
  assert.equal(namesWords(['a.example.net']), 'a.example.net');
  assert.equal(namesWords(['a', 'b', 'c', 'd']), 'a, b and 2 more');
  assert.equal(shownWords(example), '1 of 1 gateways');
  assert.equal(shownWords({ shown_by: [] }), 'No gateway');
});

test('a file in the wrong field is noticed before anything is sent', () => {
  const certificate = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
  assert.deepEqual(
    [chainProblem(certificate), chainProblem(''), keyProblem(key), keyProblem('')],
    [null, null, null, null],
  );
  assert.equal(keyProblem(key.replaceAll('PRIVATE', 'EC PRIVATE')), null);
  assert.match(chainProblem(certificate + key) ?? '', /a private key in it/);
  assert.match(chainProblem(key) ?? '', /not PEM/);
  assert.match(keyProblem(certificate) ?? '', /no private key/);
  assert.match(keyProblem(key.replaceAll('PRIVATE', 'ENCRYPTED PRIVATE')) ?? '', /openssl pkey/);
});
