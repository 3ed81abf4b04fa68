import { type AuthorityId, type AuthorityRole, invalid, MeshError, utc, WHOLE_MESH } from '@meshwork/contract';
import { authoritiesOf, ensureRoot } from '../../issuing/authorities.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import { type Actor, refOf } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import { ROTATION_ID } from '../../mesh/node-certificates.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { keepAuthorities, makeAuthorities, type NewAuthorities } from './new-authorities.ts';
import { ensureKeyHere } from './root-key.ts';
import { rotationRecord } from './rotation-record.ts';

export async function startRotation(
  mesh: Mesh,
  signing: Signing,
  call: Call<'ca.rotate'>,
): Promise<Reply<'ca.rotate'>> {
  const { what = 'intermediate', deadline_s, hold_s = 0 } = call.body;
  if (deadline_s !== undefined && hold_s >= deadline_s) {
    throw invalid('/hold_s', `must be less than deadline_s, which is ${deadline_s}`);
  }
  ensureNoRotation(mesh.model);
  const made = await newAuthorities(mesh, signing, what);
  return await call.transact((tx, actor) => {
    const deadline = deadline_s === undefined ? null : utc(tx.now_ms + deadline_s * 1000);
    const hold = hold_s === 0 ? {} : { not_before: utc(tx.now_ms + hold_s * 1000) };
    beginRotation(tx, { mesh, made, what, deadline, ...hold, actor });
    const body = rotationRecord(tx, { scope: actor.scope, now_ms: tx.now_ms });
    if (body === null) throw new Error('The rotation that was just begun is not there.');
    return { body };
  });
}

/** An intermediate under the root that is there, or a new root with one. */
export async function newAuthorities(mesh: Mesh, signing: Signing, what: AuthorityRole): Promise<NewAuthorities> {
  const root = ensureRoot(mesh.model);
  if (what === 'root') return await makeAuthorities(mesh, signing);
  ensureKeyHere(root);
  return await makeAuthorities(mesh, signing, root);
}

interface Beginning {
  readonly mesh: Pick<Mesh, 'seal'>;
  readonly made: NewAuthorities;
  readonly what: AuthorityRole;
  readonly deadline: string | null;
  /** Absent: the switch waits for the proofs of nodes alone. */
  readonly not_before?: string;
  readonly actor: Actor;
}

/** Publishes new authorities: nodes are sent them with their revocation lists, and nothing is signed with them. */
export function beginRotation(tx: Transaction, beginning: Beginning): void {
  const { mesh, made, what, deadline, not_before, actor } = beginning;
  ensureNoRotation(tx);
  const active = authoritiesOf(tx).filter(({ body }) => body.state === 'active');
  const from = active
    .filter(({ body }) => what === 'root' || body.role === 'intermediate')
    .map(({ id }) => id as AuthorityId);
  const to = keepAuthorities(tx, mesh, made, 'published');
  const started_by = refOf(actor);
  tx.put('rotation', ROTATION_ID, {
    what,
    from,
    to,
    started_at: utc(tx.now_ms),
    started_by,
    deadline,
    ...(not_before === undefined ? {} : { not_before }),
    switched_at: null,
  });
  const subject = { kind: 'authority', id: to.at(-1) ?? '' } as const;
  const { name } = made.intermediate.wanted;
  tx.record({ target: subject, detail: `rotates the ${what}` });
  tx.emit({ type: 'authority.rotation_started', subject, scope: WHOLE_MESH, data: { name, what } });
}

export function ensureNoRotation(view: View): void {
  const rotation = view.get('rotation', ROTATION_ID)?.body;
  if (rotation === undefined) return;
  throw new MeshError(
    'rotation_under_way',
    `A rotation of the ${rotation.what} was started at ${rotation.started_at}.`,
  );
}

/** Nodes drop what they were sent; nothing was signed with it. */
export function cancelRotation(call: Call<'ca.cancel_rotation'>): Promise<Reply<'ca.cancel_rotation'>> {
  return call.transact((tx) => {
    const rotation = tx.get('rotation', ROTATION_ID)?.body;
    if (rotation === undefined) throw new MeshError('not_found', 'No rotation is under way.');
    const { switched_at, to, what } = rotation;
    if (switched_at !== null) {
      throw new MeshError('rotation_switched', `The new authorities have been in use since ${switched_at}.`);
    }
    const subject = { kind: 'authority', id: to.at(-1) ?? '' } as const;
    const name = tx.get('authority', subject.id)?.body.name ?? '';
    for (const id of to) {
      const serial = tx.get('authority', id)?.body.serial;
      tx.delete('authority', id);
      tx.delete('revocation_list', id);
      tx.delete('claim', `serial/${serial}`);
    }
    tx.delete('rotation', ROTATION_ID);
    tx.record({ target: subject });
    tx.emit({ type: 'authority.rotation_cancelled', subject, scope: WHOLE_MESH, data: { name, what } });
    return { body: undefined };
  });
}
