import { type AccountId, MeshError, type RequestedProfile, type Scope } from '@meshwork/contract';
import type { RequestRead } from '@meshwork/pki';
import { newSerial } from '@meshwork/pki/serial';
import { refOf, type TokenActor } from '../mesh/actor.ts';
import type { Directory } from '../mesh/directory.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Stored, View } from '../mesh/model.ts';
import type { Transaction } from '../mesh/transaction.ts';
import { issuerOf, signingAuthority } from './authorities.ts';
import { grantedNames } from './granted-names.ts';
import { keepCertificate } from './keep-certificate.ts';
import { datesOf, lifeFrom } from './lifetimes.ts';
import { listUrlOf } from './list-url.ts';
import { PROFILES } from './profiles.ts';
import type { Signing } from './signing/signing.ts';

interface Parts {
  readonly mesh: Mesh;
  readonly directory: Directory;
  readonly signing: Signing;
}

interface Wanted {
  readonly read: RequestRead;
  readonly profile: RequestedProfile;
  readonly lifetime_s: number;
  /** Of who asks. */
  readonly scope: Scope;
  readonly now_ms: number;
}

/** A certificate that is signed and not yet written down. */
interface SignedRequest {
  /** Writes it down. What it may have is looked at again: nodes change meanwhile. */
  keep(tx: Transaction, actor: TokenActor, account?: AccountId): Stored<'certificate'>;
}

/** Reads a certificate request in PEM. Throws `certificate_refused` with all that is wrong with it. */
export async function readRequest({ signing }: Pick<Parts, 'signing'>, request: string): Promise<RequestRead> {
  const [read] = await signing.run('read', [request]);
  if (read === undefined) throw new Error('The signing thread left it out.');
  if ('faults' in read) throw refused(read.faults);
  return read;
}

/** Signs what a request asks for. Throws `certificate_refused` with all that it cannot have. */
export async function signRequest({ mesh, directory, signing }: Parts, wanted: Wanted): Promise<SignedRequest> {
  const { read, profile, lifetime_s, scope, now_ms } = wanted;
  const issuer = ensureIssuer(mesh.model);
  const granted = (view: View, within: Scope) => {
    const { constraints } = issuer.body;
    const found = grantedNames(view, directory, { read, profile, scope: within, constraints });
    if ('faults' in found) throw refused(found.faults);
    return found;
  };
  granted(mesh.model, scope);
  const life = lifeFrom(now_ms, lifetime_s, issuer.body);
  const serial = newSerial();
  const { public_key, names, key_type } = read;
  const certificate = {
    public_key,
    names,
    usages: PROFILES[profile].usages,
    serial,
    ...datesOf(life),
    ...listUrlOf(mesh.model, issuer.body),
  };
  const [der] = await signing.run('issue', { issuer: issuerOf(mesh, issuer), wanted: [certificate] });
  if (der === undefined) throw new Error('The signing thread left it out.');
  return {
    keep: (tx, actor, account) =>
      keepCertificate(tx, {
        profile,
        issuer,
        names,
        ...granted(tx, actor.scope),
        key_type,
        serial,
        ...life,
        der,
        requested_by: refOf(actor),
        ...(account === undefined ? {} : { account }),
      }),
  };
}

function ensureIssuer(view: View): Stored<'authority'> {
  const issuer = signingAuthority(view);
  if (issuer !== undefined) return issuer;
  throw new MeshError('busy', 'The authorities of the mesh are being made. Try again in a moment.', {
    retry_after_s: 2,
  });
}

/** Every fault at once, so that the next request is the last. */
function refused(faults: readonly string[]): MeshError {
  const errors = faults.map((detail) => ({ pointer: '/request', detail }));
  return new MeshError('certificate_refused', `The request ${faults.join('; ')}.`, { errors });
}
