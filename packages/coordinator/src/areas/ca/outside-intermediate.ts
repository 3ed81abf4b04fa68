/** An intermediate that is signed where the key of the root is: its key is made here, its certificate comes from outside. */
import { type AuthorityId, MeshError, MIN_INTERMEDIATE_DAYS, utc } from '@meshwork/contract';
import type { IntermediateChecked, IntermediateResult } from '@meshwork/pki';
import { newSerial } from '@meshwork/pki/serial';
import { authoritiesOf, ensureRoot } from '../../issuing/authorities.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import type { IntermediateRequestDocument } from '../../kinds/ca.ts';
import { INTERMEDIATE_REQUEST_ID, REQUEST_SEALED_FOR } from '../../mesh/envelopes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { nameOfAuthority } from './new-authorities.ts';
import { rotationRecord } from './rotation-record.ts';
import { beginRotation, ensureNoRotation } from './start-rotation.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The same one until it was taken in: an answer that was lost can be fetched again. */
export async function requestIntermediate(
  mesh: Mesh,
  signing: Signing,
  call: Call<'ca.request_intermediate'>,
): Promise<Reply<'ca.request_intermediate'>> {
  const root = ensureRoot(mesh.model);
  const open = openRequest(mesh.model);
  if (open !== undefined) return { body: recordOf(open) };
  const name = nameOfAuthority('intermediate', newSerial());
  const made = await signing.run('request', { name, constraints: root.body.constraints });
  return await call.transact((tx) => {
    const earlier = openRequest(tx);
    if (earlier !== undefined) return { body: recordOf(earlier) }; // another call was first
    const kept = tx.put('intermediate_request', INTERMEDIATE_REQUEST_ID, {
      name,
      root: ensureRoot(tx).id as AuthorityId,
      requested_at: utc(tx.now_ms),
      request: made.request,
      public_key: Buffer.from(made.public_key).toString('base64'),
      key: mesh.seal(made.private_key, REQUEST_SEALED_FOR),
    });
    tx.record({ target: { kind: 'authority', id: kept.body.root }, detail: `requested ${name}` });
    return { body: recordOf(kept.body) };
  });
}

/** The one that waits for its certificate. One for a root that was replaced waits for nothing. */
function openRequest(view: View): IntermediateRequestDocument | undefined {
  const open = view.get('intermediate_request', INTERMEDIATE_REQUEST_ID)?.body;
  return open?.root === ensureRoot(view).id ? open : undefined;
}

function recordOf({ name, root, requested_at, request }: IntermediateRequestDocument) {
  return { name, root, requested_at, request };
}

export async function takeIntermediate(
  mesh: Mesh,
  signing: Signing,
  call: Call<'ca.take_intermediate'>,
): Promise<Reply<'ca.take_intermediate'>> {
  ensureNoRotation(mesh.model);
  const open = ensureRequested(mesh.model);
  const result = await checked({ mesh, signing, open, body: call.body });
  if ('faults' in result) throw refused(result.faults);
  return await call.transact((tx, actor) => {
    const { name, key, root } = ensureRequested(tx);
    if (key !== open.key) throw new MeshError('busy', 'The request changed just now. Try again.', { retry_after_s: 1 });
    ensureUnused(tx, result.serial);
    const { certificate, serial, not_before, not_after, constraints, list } = result;
    const wanted = { name, serial, not_before, not_after, constraints };
    const made = { certificate, private_key: mesh.unseal(key, REQUEST_SEALED_FOR) };
    const deadline = call.body.deadline_s === undefined ? null : utc(tx.now_ms + call.body.deadline_s * 1000);
    const intermediate = { signed_by: root, intermediate: { wanted, made } };
    beginRotation(tx, { mesh, made: intermediate, what: 'intermediate', deadline, actor });
    if (list !== null) keepList(tx, root, list);
    tx.delete('intermediate_request', INTERMEDIATE_REQUEST_ID);
    const body = rotationRecord(tx, { scope: actor.scope, now_ms: tx.now_ms });
    if (body === null) throw new Error('The rotation that was just begun is not there.');
    return { body };
  });
}

function ensureRequested(view: View): IntermediateRequestDocument {
  const open = openRequest(view);
  if (open !== undefined) return open;
  throw new MeshError('not_found', 'No intermediate was requested: use "mesh ca request-intermediate" first.');
}

function checked(given: {
  readonly mesh: Mesh;
  readonly signing: Signing;
  readonly open: IntermediateRequestDocument;
  readonly body: Call<'ca.take_intermediate'>['body'];
}): Promise<IntermediateResult> {
  const { mesh, signing, open, body } = given;
  const { model } = mesh;
  const root = ensureRoot(model);
  const list = model.get('revocation_list', root.id)?.body;
  const below = authoritiesOf(model).filter((one) => one.body.issuer === root.id && one.body.state !== 'retired');
  return signing.run('check', {
    root: bytesOf(root.body.certificate),
    public_key: bytesOf(open.public_key),
    name: open.name,
    certificate: body.certificate,
    revocation_list: body.revocation_list ?? null,
    // Where the key is here, a new list is made each day.
    list_ends_ms: root.body.key === null ? Date.parse(list?.next_at ?? root.body.not_before) : Number.MAX_SAFE_INTEGER,
    list_number: list?.number ?? 0,
    in_use: below.map((one) => one.body.serial),
    now_ms: mesh.clock.now(),
    shortest_ms: MIN_INTERMEDIATE_DAYS * DAY_MS,
  });
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}

function ensureUnused(view: View, serial: string): void {
  if (view.get('claim', `serial/${serial}`) === undefined) return;
  const text = `The serial number ${serial} is that of another certificate.`;
  throw refused([{ of: 'certificate', text }]);
}

type Faults = Extract<IntermediateResult, { readonly faults: unknown }>['faults'];

function refused(faults: Faults): MeshError {
  const errors = faults.map(({ of, text }) => ({ pointer: `/${of}`, detail: text }));
  return new MeshError('intermediate_refused', faults.map(({ text }) => text).join(' '), { errors });
}

function keepList(tx: Transaction, root: AuthorityId, list: NonNullable<IntermediateChecked['list']>): void {
  const before: Stored<'revocation_list'> | undefined = tx.get('revocation_list', root);
  if (before !== undefined && before.body.number >= list.number) {
    throw new MeshError('busy', 'A newer revocation list of the root was made just now. Try again.', {
      retry_after_s: 1,
    });
  }
  tx.put('revocation_list', root, {
    number: list.number,
    entries: list.entries,
    revision: before?.body.revision ?? 0,
    made_at: utc(list.made_at.getTime()),
    next_at: utc(list.next_at.getTime()),
    list: Buffer.from(list.der).toString('base64'),
  });
}
