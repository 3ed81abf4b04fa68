import { type AuthorityState, utc, WHOLE_MESH } from '@meshwork/contract';
import type { Duty, Notes } from '../../duties/duty.ts';
import { activeRoot, signingAuthority } from '../../issuing/authorities.ts';
import { afterSwitchMs } from '../../issuing/lifetimes.ts';
import type { Signing } from '../../issuing/signing/signing.ts';
import type { RotationDocument } from '../../kinds/ca.ts';
import { COORDINATOR } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { View } from '../../mesh/model.ts';
import { ROTATION_ID } from '../../mesh/node-certificates.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { certificatesInUse, trustingNodes } from './rotation-record.ts';
import { beginRotation, newAuthorities } from './start-rotation.ts';

/** How often a rotation is looked at while nodes bring proofs. */
const EVERY_MS = 1000;
/** How often it is looked whether old authorities can retire: certificates of services expire without a change. */
const LOOK_MS = 60_000;

/**
 * Leads rotations: switches to new authorities when every fresh node has proven that it trusts them, retires the old ones when
 * nothing of theirs is in use, and starts the rotation of an intermediate when two thirds of its life are over.
 */
export class RotateAuthorities implements Duty {
  readonly name = 'ca.rotate';
  readonly on: Notes;
  readonly #mesh: Mesh;
  readonly #signing: Signing;
  #noted = false;
  #looked_ms = 0;

  constructor(mesh: Mesh, signing: Signing) {
    this.#mesh = mesh;
    this.#signing = signing;
    const note = () => {
      this.#noted = true;
    };
    const ifRotating = () => {
      if (mesh.model.get('rotation', ROTATION_ID) !== undefined) note();
    };
    this.on = {
      rotation: note,
      authority: note,
      node: ifRotating,
      node_certificate: ifRotating,
      liveness: ifRotating,
      revocation_list: ifRotating,
    };
  }

  get next_at(): number | undefined {
    const { model } = this.#mesh;
    const rotation = model.get('rotation', ROTATION_ID)?.body;
    const moments = [
      ...(this.#noted ? [this.#looked_ms + EVERY_MS] : []),
      ...(rotation === undefined ? [rotationDue(model)] : []),
      ...(rotation?.switched_at === null ? switchMoments(rotation, this.#looked_ms) : []),
      ...(rotation === undefined || rotation.switched_at === null
        ? []
        : [nextLook(overlapEnds(model, rotation), this.#looked_ms)]),
    ].filter((moment) => moment !== undefined);
    return moments.length === 0 ? undefined : Math.min(...moments);
  }

  begin(): void {
    this.#noted = true;
    this.#looked_ms = 0;
  }

  end(): void {
    this.#noted = false;
  }

  async run(): Promise<void> {
    const now_ms = this.#mesh.clock.now();
    this.#noted = false;
    this.#looked_ms = now_ms;
    const { model } = this.#mesh;
    const rotation = model.get('rotation', ROTATION_ID)?.body;
    if (rotation === undefined) {
      if ((rotationDue(model) ?? Number.POSITIVE_INFINITY) <= now_ms) await this.#begin();
    } else if (rotation.switched_at === null) {
      if (isReady(model, rotation, now_ms)) await this.#switch();
    } else if (isOver(model, rotation, now_ms)) await this.#retire();
  }

  async #begin(): Promise<void> {
    const made = await newAuthorities(this.#mesh, this.#signing, 'intermediate');
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      const old = signingAuthority(tx)?.body;
      if (tx.get('rotation', ROTATION_ID) !== undefined || old === undefined) return;
      const deadline = utc(partOf(old, 5 / 6));
      beginRotation(tx, { mesh: this.#mesh, made, what: 'intermediate', deadline, actor: COORDINATOR });
    });
  }

  async #switch(): Promise<void> {
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      const rotation = tx.get('rotation', ROTATION_ID)?.body;
      if (rotation === undefined || rotation.switched_at !== null || !isReady(tx, rotation, tx.now_ms)) return;
      for (const id of rotation.from) setState(tx, id, 'retiring');
      for (const id of rotation.to) setState(tx, id, 'active');
      tx.put('rotation', ROTATION_ID, { ...rotation, switched_at: utc(tx.now_ms) });
      const subject = { kind: 'authority', id: rotation.to.at(-1) ?? '' } as const;
      const name = tx.get('authority', subject.id)?.body.name ?? '';
      const unproven = [...trustingNodes(tx, rotation)].filter(({ is_proven }) => !is_proven).length;
      tx.record({ target: subject, detail: `signs from now on; ${unproven} nodes have not proven that they trust it` });
      tx.emit({ type: 'authority.switched', subject, scope: WHOLE_MESH, data: { name, unproven } });
    });
  }

  async #retire(): Promise<void> {
    await this.#mesh.transact({ actor: COORDINATOR, action: this.name }, (tx) => {
      const rotation = tx.get('rotation', ROTATION_ID)?.body;
      if (rotation === undefined || !isOver(tx, rotation, tx.now_ms)) return;
      for (const id of rotation.from) {
        const name = setState(tx, id, 'retired');
        tx.delete('revocation_list', id);
        const subject = { kind: 'authority', id } as const;
        tx.emit({ type: 'authority.retired', subject, scope: WHOLE_MESH, data: { name } });
      }
      tx.delete('rotation', ROTATION_ID);
      tx.record({ target: { kind: 'authority', id: rotation.from.at(-1) ?? '' }, detail: 'retired' });
    });
  }
}

/** The key of a retired authority is gone with it. */
function setState(tx: Transaction, id: string, state: AuthorityState): string {
  const authority = tx.get('authority', id);
  if (authority === undefined) return '';
  const { body } = authority;
  const key = state === 'retired' ? null : body.key;
  tx.put('authority', id, { ...body, state, state_since: utc(tx.now_ms), key });
  return body.name;
}

/** When time alone can bring the switch. A hold that is over by the last look has been seen. */
function switchMoments({ deadline, not_before }: RotationDocument, looked_ms: number): readonly number[] {
  const held_ms = not_before === undefined ? 0 : Date.parse(not_before);
  return [...(deadline === null ? [] : [Date.parse(deadline)]), ...(held_ms > looked_ms ? [held_ms] : [])];
}

/** Every fresh node has proven it, or the deadline has come. Before that nodes are sent the lists of the new authorities too. */
function isReady(view: View, rotation: RotationDocument, now_ms: number): boolean {
  if (!rotation.to.every((id) => view.get('revocation_list', id) !== undefined)) return false;
  if (rotation.deadline !== null && Date.parse(rotation.deadline) <= now_ms) return true;
  if (rotation.not_before !== undefined && Date.parse(rotation.not_before) > now_ms) return false;
  return !trustingNodes(view, rotation).some(({ is_fresh, is_proven }) => is_fresh && !is_proven);
}

/** Nothing of the old ones is in use: those of nodes were renewed, and those of services renewed, expired or revoked. */
function isOver(view: View, rotation: RotationDocument, now_ms: number): boolean {
  if (rotation.switched_at === null || overlapEnds(view, rotation) > now_ms) return false;
  return certificatesInUse(view, rotation, now_ms).next().done === true;
}

/**
 * When the old authorities can retire. Certificates are renewed until half of that time is over; a program that has not read its new one
 * by then has the other half.
 */
function overlapEnds(view: View, { switched_at }: RotationDocument): number {
  return Date.parse(switched_at ?? '') + 2 * afterSwitchMs(settingsOf(view).ca.node_lifetime_s * 1000);
}

/** At the end of the overlap, and now and then after it. */
function nextLook(ends_ms: number, looked_ms: number): number {
  return looked_ms < ends_ms ? ends_ms : looked_ms + LOOK_MS;
}

/** When the intermediate has to be rotated: two thirds of its life are over. Never by itself where the key of the root is outside. */
function rotationDue(view: View): number | undefined {
  const active = signingAuthority(view)?.body;
  if (active === undefined || activeRoot(view)?.body.key === null) return undefined;
  return partOf(active, 2 / 3);
}

export function partOf({ not_before, not_after }: { not_before: string; not_after: string }, part: number): number {
  const start = Date.parse(not_before);
  return start + Math.floor((Date.parse(not_after) - start) * part);
}
