/**
 * The mesh CA. `found-authorities.ts` makes the authorities, `issue-node-certificates.ts` signs for nodes,
 * `issue-gateway-certificates.ts` for ingresses on gateways and `issue-certificate.ts` for services, `revocation-lists.ts` tells the mesh what was revoked. All signing is done in the thread of
 * `signing/`. `start-rotation.ts` and `rotate-authorities.ts` replace authorities without an outage;
 * `root-key.ts` and `outside-intermediate.ts` are for a root whose key is kept elsewhere. What nodes are sent is in `sections.ts`.
 */
import { periodic } from '../../duties/duty.ts';
import { listsOf, rootsOf } from '../../issuing/authorities.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { authorityList } from './authority-list.ts';
import { caSummary } from './ca-summary.ts';
import { certificateWithChain, findCertificate } from './certificate-record.ts';
import { forgetCertificates } from './forget-certificates.ts';
import { FoundAuthorities } from './found-authorities.ts';
import { issueCertificate } from './issue-certificate.ts';
import { IssueGatewayCertificates } from './issue-gateway-certificates.ts';
import { IssueNodeCertificates } from './issue-node-certificates.ts';
import { listCertificates } from './list-certificates.ts';
import { requestIntermediate, takeIntermediate } from './outside-intermediate.ts';
import { RevocationLists } from './revocation-lists.ts';
import { revokeAll, revokeCertificate } from './revoke-certificate.ts';
import { rewrap } from './rewrap.ts';
import { dropRootKey, exportRoot } from './root-key.ts';
import { RotateAuthorities } from './rotate-authorities.ts';
import { certificateSection, trustSection } from './sections.ts';
import { showCa } from './show-ca.ts';
import { cancelRotation, startRotation } from './start-rotation.ts';

const FORGETS_EVERY_S = 3600;

export const ca: Area<'ca'> = {
  open: ({ model, served }) => ({
    sections: { trust: trustSection(model), certificate: certificateSection(model) },
    serve: (runtime) => {
      const { mesh, makes_authorities, signing } = runtime;
      return {
        handlers: handlersOf(runtime),
        duties: [
          ...(makes_authorities ? [new FoundAuthorities(mesh, signing), new RotateAuthorities(mesh, signing)] : []),
          new IssueNodeCertificates(mesh, signing),
          new IssueGatewayCertificates(mesh, signing, served),
          new RevocationLists(mesh, signing),
          periodic('ca.forget', FORGETS_EVERY_S, () => forgetCertificates(mesh)),
        ],
        overview: caSummary,
      };
    },
  }),
};

function handlersOf(runtime: Runtime): AreaHandlers<'ca'> {
  const { mesh, signing } = runtime;
  const { model } = mesh;
  return {
    'ca.show': (call) => showCa(model, call),
    'ca.bundle': () => ({ body: rootsOf(model).join('') }),
    'ca.crl': () => ({ body: listsOf(model).join('') }),
    'ca.authority_crl': (call) => authorityList(model, call),
    'ca.issue': (call) => issueCertificate(runtime, call),
    'ca.certificates': (call) => listCertificates(model, call),
    'ca.certificate': ({ params, actor, now_ms }) => {
      const body = certificateWithChain(model, findCertificate(model, params.id, actor.scope), now_ms);
      return { body, revision: body.revision };
    },
    'ca.rotate': (call) => startRotation(mesh, signing, call),
    'ca.cancel_rotation': (call) => cancelRotation(call),
    'ca.export_root': (call) => exportRoot(runtime.mesh, call),
    'ca.drop_root_key': (call) => dropRootKey(runtime.mesh, signing, call),
    'ca.request_intermediate': (call) => requestIntermediate(runtime.mesh, signing, call),
    'ca.take_intermediate': (call) => takeIntermediate(runtime.mesh, signing, call),
    'ca.rewrap': (call) => rewrap(runtime.mesh, call),
    'ca.revoke': (call) => revokeCertificate(call),
    'ca.revoke_all': (call) => revokeAll(call),
  };
}
