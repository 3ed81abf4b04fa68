/** The key of the root leaves the installation in two steps: it is exported, and dropped when it was proven that the export opens. */
import { verify, X509Certificate } from 'node:crypto';
import { type AuthorityId, dropProofText, MeshError, utc, WHOLE_MESH } from '@meshwork/contract';
import { sealKey } from '@meshwork/pki/sealed-key';
import { certificatePem, ensureRoot, issuerOf } from '../../issuing/authorities.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { ROTATION_ID } from '../../mesh/node-certificates.ts';
import type { Call, Reply } from '../handler.ts';
import { makeList, numberAfter } from './make-list.ts';
import { authorityRecord } from './show-ca.ts';

/** The last list of a root outlives its intermediates by this, for programs whose clock is slow. */
const LIST_SLACK_MS = 7 * 24 * 3600 * 1000;

export async function exportRoot(mesh: Mesh, call: Call<'ca.export_root'>): Promise<Reply<'ca.export_root'>> {
  const root = rootWithKey(mesh.model);
  const key = await sealKey(issuerOf(mesh, root).private_key, call.body.passphrase);
  return await call.transact((tx) => {
    const { id, body } = sameRoot(tx, root);
    const exported_at = utc(tx.now_ms);
    tx.put('authority', id, { ...body, exported_at });
    const subject = { kind: 'authority', id } as const;
    tx.record({ target: subject, detail: `exported the key of ${body.name}` });
    tx.emit({ type: 'authority.key_exported', subject, scope: WHOLE_MESH, data: { name: body.name } });
    const certificate = certificatePem(body.certificate);
    return { body: { authority: id as AuthorityId, name: body.name, exported_at, key, certificate } };
  });
}

export async function dropRootKey(
  mesh: Mesh,
  signing: Signing,
  call: Call<'ca.drop_root_key'>,
): Promise<Reply<'ca.drop_root_key'>> {
  const root = rootWithKey(mesh.model);
  ensureProven(root, call.body.proof);
  // Without the key no other can be made: this one is good for as long as programs may need it.
  const wanted = { authority: root, now_ms: mesh.clock.now(), next_ms: listUntil(mesh.model, root) };
  const list = await makeList(mesh, signing, wanted);
  return await call.transact((tx) => {
    const { id, body } = sameRoot(tx, root);
    ensureProven({ id, body }, call.body.proof); // it may have been exported again meanwhile
    const isOutdated = listUntil(tx, root) > Date.parse(list.next_at) || numberAfter(tx, id, 0) > list.number;
    if (isOutdated) throw new MeshError('busy', 'The authorities changed just now. Try again.', { retry_after_s: 1 });
    tx.put('revocation_list', id, list);
    const dropped = tx.put('authority', id, { ...body, key: null, dropped_at: utc(tx.now_ms) });
    const subject = { kind: 'authority', id } as const;
    tx.record({ target: subject, detail: `dropped the key of ${body.name}` });
    tx.emit({ type: 'authority.key_dropped', subject, scope: WHOLE_MESH, data: { name: body.name } });
    return { body: authorityRecord(tx, dropped, tx.now_ms) };
  });
}

/** That of the root which signs. Throws when its key is not here, or when another root is about to take its place. */
function rootWithKey(view: View): Stored<'authority'> {
  const root = ensureRoot(view);
  ensureKeyHere(root);
  const rotation = view.get('rotation', ROTATION_ID)?.body;
  if (rotation?.what !== 'root' || rotation.switched_at !== null) return root;
  throw new MeshError('rotation_under_way', `A rotation of the root was started at ${rotation.started_at}.`);
}

export function ensureKeyHere({ body }: Pick<Stored<'authority'>, 'body'>): void {
  if (body.key !== null) return;
  throw new MeshError(
    'root_key_outside',
    `The key of ${body.name} was dropped from the installation at ${body.dropped_at}. To replace the intermediate, use "mesh ca request-intermediate".`,
  );
}

function sameRoot(view: View, { id }: Stored<'authority'>): Stored<'authority'> {
  const root = rootWithKey(view);
  if (root.id === id) return root;
  throw new MeshError('busy', 'The root was replaced just now. Try again.', { retry_after_s: 1 });
}

function ensureProven({ id, body }: Pick<Stored<'authority'>, 'id' | 'body'>, proof: string): void {
  const { name, exported_at, certificate } = body;
  if (exported_at === undefined) {
    throw new MeshError('root_key_unproven', `The key of ${name} was not exported: use "mesh ca export-root" first.`);
  }
  const text = Buffer.from(dropProofText({ id, key_exported_at: exported_at }));
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  if (verify('sha256', text, publicKey, Buffer.from(proof, 'base64'))) return;
  throw new MeshError(
    'root_key_unproven',
    `The proof was not made with the key of ${name} for its export at ${exported_at}.`,
  );
}

function listUntil(view: View, { id, body }: Stored<'authority'>): number {
  const below = [...view.all('authority')].filter((one) => one.body.issuer === id && one.body.state !== 'retired');
  const ends = Math.max(...below.map((one) => Date.parse(one.body.not_after)));
  return Math.min(ends + LIST_SLACK_MS, Date.parse(body.not_after));
}
