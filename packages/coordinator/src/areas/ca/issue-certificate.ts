import { invalid, MeshError, type RequestedProfile } from '@meshwork/contract';
import type { RequestRead } from '@meshwork/pki';
import { refOf } from '../../mesh/actor.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { scopeOfCertificate } from '../../mesh/node-certificates.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Call, Reply } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { issuerOf, newSerial, signingAuthority } from './authorities.ts';
import { certificateWithChain } from './certificate-record.ts';
import { grantedNames } from './granted-names.ts';
import { keepCertificate } from './keep-certificate.ts';
import { datesOf, lifeFrom } from './lifetimes.ts';
import { PROFILES } from './profiles.ts';
import type { Signing } from './signing/signing.ts';

/** Signs a certificate request of a service. What it may have is looked at again in the transaction: nodes change meanwhile. */
export async function issueCertificate(
  { mesh, directory }: Pick<Runtime, 'mesh' | 'directory'>,
  signing: Signing,
  call: Call<'ca.issue'>,
): Promise<Reply<'ca.issue'>> {
  const { request, profile = 'server' } = call.body;
  const issuer = ensureIssuer(mesh.model);
  const lifetime_s = lifetimeOf(mesh.model, call.body.lifetime_s);
  const [read] = await signing.run('read', [request]);
  if (read === undefined) throw new Error('The signing thread left it out.');
  if ('faults' in read) throw refused(read.faults);
  const granted = (view: View, actor: typeof call.actor) => {
    const { constraints } = issuer.body;
    const found = grantedNames(view, directory, { read, profile, scope: actor.scope, constraints });
    if ('faults' in found) throw refused(found.faults);
    return found.nodes;
  };
  granted(mesh.model, call.actor);
  const life = lifeFrom(call.now_ms, lifetime_s, issuer.body);
  const serial = newSerial();
  const wanted = { ...wantedOf(read, profile), serial, ...datesOf(life) };
  const [der] = await signing.run('issue', { issuer: issuerOf(mesh, issuer), wanted: [wanted] });
  if (der === undefined) throw new Error('The signing thread left it out.');
  return await call.transact((tx, actor) => {
    const nodes = granted(tx, actor);
    const { names, key_type } = read;
    const requested_by = refOf(actor);
    const certificate = keepCertificate(tx, {
      profile,
      issuer,
      names,
      nodes,
      key_type,
      serial,
      ...life,
      der,
      requested_by,
    });
    const scope = scopeOfCertificate(tx, certificate.body);
    tx.record({ target: { kind: 'certificate', id: certificate.id }, scope });
    return {
      body: certificateWithChain(tx, certificate, tx.now_ms),
      revision: certificate.revision,
      location: `/v1/ca/certificates/${certificate.id}`,
    };
  });
}

function wantedOf({ public_key, names }: RequestRead, profile: RequestedProfile) {
  return { public_key, names, usages: PROFILES[profile].usages };
}

function ensureIssuer(view: View): Stored<'authority'> {
  const issuer = signingAuthority(view);
  if (issuer !== undefined) return issuer;
  throw new MeshError('busy', 'The authorities of the mesh are being made. Try again in a moment.', {
    retry_after_s: 2,
  });
}

function lifetimeOf(view: View, wanted_s: number | undefined): number {
  const { service_lifetime_s } = settingsOf(view).ca;
  if (wanted_s === undefined || wanted_s <= service_lifetime_s) return wanted_s ?? service_lifetime_s;
  throw invalid('/lifetime_s', `must be at most ${service_lifetime_s}, as the settings say`);
}

/** Every fault at once, so that the next request is the last. */
function refused(faults: readonly string[]): MeshError {
  const errors = faults.map((detail) => ({ pointer: '/request', detail }));
  return new MeshError('certificate_refused', `The request ${faults.join('; ')}.`, { errors });
}
