import { type AuthorityRole, MeshError } from '@meshwork/contract';
import type { Issuer } from '@meshwork/pki';
import { pemOf } from '@meshwork/pki/text';
import { authoritySealedFor } from '../mesh/envelopes.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { Stored, View } from '../mesh/model.ts';

/** In order of id, which is that of time: every coordinator sends nodes the same text. */
export function authoritiesOf(view: View): readonly Stored<'authority'>[] {
  return [...view.all('authority')].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Without those that are retired: what nodes are sent. */
function presentAuthorities(view: View): readonly Stored<'authority'>[] {
  return authoritiesOf(view).filter(({ body }) => body.state !== 'retired');
}

/** The authority that signs certificates now. Undefined: there is none yet. */
export function signingAuthority(view: View): Stored<'authority'> | undefined {
  return activeAuthority(view, 'intermediate');
}

/** The root that new intermediates are signed by. */
export function activeRoot(view: View): Stored<'authority'> | undefined {
  return activeAuthority(view, 'root');
}

/** What the SPIFFE id of a node begins with, before its name. Null: there is no authority yet. */
export function spiffePrefixOf(view: View): string | null {
  const root = activeRoot(view);
  return root === undefined ? null : `spiffe://${root.body.constraints.trust_domain}/node/`;
}

/** There is one of each role at most. Asked for every node, so it sorts nothing. */
function activeAuthority(view: View, role: AuthorityRole): Stored<'authority'> | undefined {
  for (const authority of view.all('authority')) {
    if (authority.body.role === role && authority.body.state === 'active') return authority;
  }
  return undefined;
}

/** The root that new intermediates are signed by, where there must be one. */
export function ensureRoot(view: View): Stored<'authority'> {
  const root = activeRoot(view);
  if (root !== undefined && signingAuthority(view) !== undefined) return root;
  throw new MeshError('busy', 'The authorities of the mesh are being made. Try again in a moment.', {
    retry_after_s: 2,
  });
}

/** An authority as the signing thread needs it. Throws when its key does not open. */
export function issuerOf(mesh: Pick<Mesh, 'unseal'>, { id, body }: Stored<'authority'>): Issuer {
  if (body.key === null) throw new Error(`The key of ${body.name} is not here any more.`);
  return {
    certificate: new Uint8Array(Buffer.from(body.certificate, 'base64')),
    private_key: mesh.unseal(body.key, authoritySealedFor(id)),
  };
}

/** In PEM, from the base64 that documents have. */
export function certificatePem(base64: string): string {
  return pemOf('CERTIFICATE', Buffer.from(base64, 'base64'));
}

/** What a server presents: its certificate, and the intermediate that signed it. Programs have the root. */
export function chainOf(view: View, { body }: Stored<'certificate'>): string {
  const issuer = view.get('authority', body.issuer)?.body.certificate;
  return certificatePem(body.certificate) + (issuer === undefined ? '' : certificatePem(issuer));
}

/** The roots, in PEM: what programs trust. */
export function rootsOf(view: View): readonly string[] {
  const roots = presentAuthorities(view).filter(({ body }) => body.role === 'root');
  return roots.map(({ body }) => certificatePem(body.certificate));
}

/** The newest revocation list of every authority, in PEM. */
export function listsOf(view: View): readonly string[] {
  const lists = presentAuthorities(view).flatMap(({ id }) => view.get('revocation_list', id) ?? []);
  return lists.map(({ body }) => listPem(body));
}

const listPems = new WeakMap<object, string>();

/** A list may be large, and is asked for in PEM again and again. */
export function listPem(body: Stored<'revocation_list'>['body']): string {
  const known = listPems.get(body);
  if (known !== undefined) return known;
  const pem = pemOf('X509 CRL', Buffer.from(body.list, 'base64'));
  listPems.set(body, pem);
  return pem;
}
