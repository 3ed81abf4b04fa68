import { invalid } from '@meshwork/contract';
import { readRequest, signRequest } from '../../issuing/sign-request.ts';
import type { View } from '../../mesh/model.ts';
import { scopeOfCertificate } from '../../mesh/node-certificates.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { certificateWithChain } from './certificate-record.ts';

/** Signs a certificate request of a service. */
export async function issueCertificate(
  parts: Pick<Runtime, 'mesh' | 'directory' | 'signing'>,
  call: Call<'ca.issue'>,
): Promise<Reply<'ca.issue'>> {
  const { request, profile = 'server' } = call.body;
  const lifetime_s = lifetimeOf(parts.mesh.model, call.body.lifetime_s);
  const read = await readRequest(parts, request);
  const { now_ms } = call;
  const signed = await signRequest(parts, { read, profile, lifetime_s, scope: call.actor.scope, now_ms });
  return await call.transact((tx, actor) => {
    const certificate = signed.keep(tx, actor);
    const scope = scopeOfCertificate(tx, certificate.body);
    tx.record({ target: { kind: 'certificate', id: certificate.id }, scope });
    return {
      body: certificateWithChain(tx, certificate, tx.now_ms),
      revision: certificate.revision,
      location: `/v1/ca/certificates/${certificate.id}`,
    };
  });
}

function lifetimeOf(view: View, wanted_s: number | undefined): number {
  const { service_lifetime_s } = settingsOf(view).ca;
  if (wanted_s === undefined || wanted_s <= service_lifetime_s) return wanted_s ?? service_lifetime_s;
  throw invalid('/lifetime_s', `must be at most ${service_lifetime_s}, as the settings say`);
}
