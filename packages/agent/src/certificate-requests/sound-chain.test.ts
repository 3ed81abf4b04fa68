import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ASKED, Certification } from '../../test/certification.ts';
import { type CertifiedNode, requestOf } from '../../test/certified-node.ts';
import { meshCa } from '../../test/mesh-ca.ts';

describe('a certificate that the coordinator sends', () => {
  const mesh = new Certification();
  let node: CertifiedNode;
  beforeEach(() => {
    node = mesh.node;
  });

  it('is not taken while it does not fit together, and the old one stays', async () => {
    await mesh.certify();
    const cert = await node.file('cert.pem');
    await node.tell({ certificate: { chain: cert, request: true } });
    const request = requestOf(node);
    const other = await meshCa('other');
    const [leaf = ''] = (await mesh.ca.sign(request)).split(/(?<=END CERTIFICATE-----\n)/);
    for (const [chain, error] of [
      ['', /the chain has no certificate in it/],
      ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /a certificate that cannot be read/],
      [leaf, /has no intermediate in it/],
      [leaf + other.intermediate, /other intermediate did not sign .*git-1/],
      [await other.sign(request), /ends at CN=other intermediate, which no trusted root has signed/],
    ] as const) {
      await node.tell({ certificate: { chain, request: false } });
      assert.match(node.applied.certificate?.error ?? '', error);
      assert.equal(await node.file('cert.pem'), cert);
      assert.equal(node.request(), request);
    }
  });

  it('is taken without its root where that is not known yet', async () => {
    await node.tell({ certificate: ASKED });
    await node.tell({ certificate: { chain: await mesh.ca.sign(requestOf(node)), request: false } });
    assert.deepEqual([node.applied.certificate?.error, await node.files()], [undefined, ['cert.pem', 'key.pem']]);
  });

  it('stays when new roots cannot be read, and so do the old ones', async () => {
    await mesh.certify();
    for (const [wrong, error] of [
      [{ roots: ['no PEM'], revocation_lists: [] }, /a root is not PEM with one CERTIFICATE/],
      [{ roots: [mesh.ca.intermediate], revocation_lists: [] }, /CN=mesh intermediate is among the roots, and is none/],
      [{ roots: [mesh.ca.root], revocation_lists: [mesh.ca.root] }, /a revocation list is not PEM with one X509 CRL/],
    ] as const) {
      await node.tell({ trust: { roots: [...wrong.roots], revocation_lists: [...wrong.revocation_lists] } });
      assert.match(node.applied.trust?.error ?? '', error);
      assert.equal(node.applied.trust?.revision, 1);
      assert.deepEqual([await node.file('ca.pem'), await node.file('crl.pem')], [mesh.ca.root, mesh.crl]);
    }
  });
});
