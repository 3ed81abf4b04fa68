import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isHostName, requestCommand, requestProblem } from './request-text.ts';

const pem = (label: string) => `-----BEGIN ${label}-----\nMIIB\n-----END ${label}-----\n`;

describe('the text of a certificate request', () => {
  it('is one, as OpenSSL and others write it', () => {
    assert.equal(requestProblem(pem('CERTIFICATE REQUEST')), null);
    assert.equal(requestProblem(`Certificate Request:\n  Data:\n${pem('NEW CERTIFICATE REQUEST')}`), null);
  });

  it('is never sent with a private key in it', () => {
    for (const label of ['PRIVATE KEY', 'EC PRIVATE KEY', 'ENCRYPTED PRIVATE KEY']) {
      assert.match(requestProblem(pem(label) + pem('CERTIFICATE REQUEST')) ?? '', /contains a private key/);
    }
  });

  it('is nothing else', () => {
    assert.match(requestProblem(pem('CERTIFICATE')) ?? '', /a certificate, not/);
    assert.match(requestProblem('hello') ?? '', /must begin with/);
    assert.match(requestProblem(pem('CERTIFICATE REQUEST').padEnd(20_000)) ?? '', /longer than/);
  });
});

describe('the command that makes a request', () => {
  it('names its files after the host', () => {
    assert.match(requestCommand('git-1.mesh'), /-keyout git-1\.key -out git-1\.csr .*DNS:git-1\.mesh$/s);
  });

  it('takes host names only', () => {
    assert.deepEqual(['git-1.mesh', 'www.git-1.mesh', 'a;rm', '$(x).mesh', 'mesh'].map(isHostName), [
      ...[true, true, false, false, false],
    ]);
  });
});
