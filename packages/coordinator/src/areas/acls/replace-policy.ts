import { type ActorRef, type Policy, utc, WHOLE_MESH } from '@meshwork/contract';
import { refOf } from '../../mesh/actor.ts';
import { lapsedGrants } from '../../mesh/lapsed-grants.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { POLICY_ID, policyInEffect, readSound, sha256Of } from '../../mesh/policy-in-effect.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { policyRecord, said, versionRecord } from './policy-record.ts';
import type { PolicyTrials } from './policy-trials.ts';
import { failing, unreadable } from './refused-policy.ts';
import { keepVersion, versionNumbered } from './versions.ts';

export function replacePolicy(trials: PolicyTrials, call: Call<'acls.replace'>): Promise<Reply<'acls.replace'>> {
  const text = call.body.replace(/^\uFEFF/, ''); // a mark of some editors, and no part of the policy
  return putIntoEffect(trials, call, { text, restored_from: null });
}

export async function restorePolicy(
  mesh: Mesh,
  trials: PolicyTrials,
  call: Call<'acls.restore'>,
): Promise<Reply<'acls.restore'>> {
  const { text, version: restored_from } = await versionNumbered(mesh.journal, call.params.n);
  return putIntoEffect(trials, call, { text, restored_from });
}

/**
 * Refused when it cannot be read, or when a test of its own fails. That is looked at before the transaction, which
 * all other changes wait for: a node that joins in between is as one that joins just after.
 */
async function putIntoEffect(
  trials: PolicyTrials,
  call: Call<'acls.replace'> | Call<'acls.restore'>,
  given: Pick<Written, 'text' | 'restored_from'>,
): Promise<{ body: Policy; revision: number }> {
  const trial = await trials.run(given.text, call.now_ms);
  if (!trial.ok) throw unreadable(trial);
  if (trial.failed_tests.length > 0) throw failing(trial.failed_tests);
  return call.transact((tx, actor) => {
    ensureMatches(policyInEffect(tx), call.if_match);
    const { body, revision } = write(tx, { ...given, by: refOf(actor), note: call.query.note ?? null });
    return { body: { ...body, ...said(trial.warnings) }, revision };
  });
}

interface Written {
  readonly text: string;
  readonly by: ActorRef;
  readonly note: string | null;
  readonly restored_from: number | null;
}

function write(tx: Transaction, { text, by, note, restored_from }: Written): { body: Policy; revision: number } {
  const before = policyInEffect(tx);
  const document = readSound(text);
  const lapsed = lapsedGrants(document, tx.now_ms);
  // The same text once more is no new version: a pipeline that keeps the policy in a repository may send it as often as
  // it likes.
  if (before.text === text && lapsed.length === before.lapsed.size) return answer(tx);
  const version = (before.stored?.version ?? 0) + 1;
  const about = { version, sha256: sha256Of(text), created_at: utc(tx.now_ms), created_by: by, note, restored_from };
  tx.put('policy', POLICY_ID, { ...about, text, lapsed });
  keepVersion(tx, versionRecord(about, text, document));
  const from = restored_from === null ? '' : `, restored from ${restored_from}`;
  tx.record({ target: { kind: 'policy', id: POLICY_ID }, detail: `version ${version}${from}` });
  tx.emit({
    type: 'policy.changed',
    subject: { kind: 'policy', id: POLICY_ID },
    scope: WHOLE_MESH,
    data: { version, restored_from },
  });
  return answer(tx);
}

function answer(tx: Transaction): { body: Policy; revision: number } {
  const body = policyRecord(tx);
  return { body, revision: body.revision };
}
