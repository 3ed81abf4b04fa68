import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Certificate, exampleCertificate } from '@meshwork/contract';
import { whatBreaks } from './what-breaks.ts';

const last = (certificate: Partial<Certificate>) => whatBreaks({ ...exampleCertificate, ...certificate }).at(-1);

describe('what revoking a certificate breaks', () => {
  it('names who holds it', () => {
    assert.ok(whatBreaks(exampleCertificate).includes('It names git-1.mesh, 100.64.0.7, of node git-1.'));
  });

  it('says that a node gets another one, and what to do instead', () => {
    assert.match(last({ profile: 'node' }) ?? '', /^git-1 uses it now, and gets another one at once\. .* quarantine/);
    assert.equal(last({ profile: 'node', current: false }), 'git-1 no longer uses it: it has a newer one.');
  });

  it('says whether a service still needs it', () => {
    assert.match(last({ profile: 'server' }) ?? '', /Clients .* refuse the service/);
    assert.match(last({ profile: 'client' }) ?? '', /Services .* refuse the program/);
    assert.match(last({ profile: 'server', current: false }) ?? '', /^A newer certificate has the same names/);
  });
});
