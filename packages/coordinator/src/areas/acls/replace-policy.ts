import { type ActorRef, MeshError, type Policy, utc, WHOLE_MESH } from '@meshwork/contract';
import type { PolicyDocument } from '@meshwork/policy';
import type { Fleet } from '../../fleet/fleet.ts';
import { refOf } from '../../mesh/actor.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { POLICY_ID, policyInEffect, sha256Of } from '../../mesh/policy-in-effect.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { policyRecord, versionRecord } from './policy-record.ts';
import { readText } from './read-text.ts';
import { failedTests, lapsedGrants, tryPolicy } from './try-policy.ts';
import { keepVersion, versionNumbered } from './versions.ts';

export function replacePolicy(mesh: Mesh, fleet: Fleet, call: Call<'acls.replace'>): Promise<Reply<'acls.replace'>> {
  const { body: text, query } = call;
  const document = checked(mesh, fleet, text, call.now_ms);
  return call.transact((tx, actor) => {
    ensureMatches(policyInEffect(tx), call.if_match);
    return write(tx, { text, document, by: refOf(actor), note: query.note ?? null, restored_from: null });
  });
}

export async function restorePolicy(
  mesh: Mesh,
  fleet: Fleet,
  call: Call<'acls.restore'>,
): Promise<Reply<'acls.restore'>> {
  const { text, version: restored_from } = await versionNumbered(mesh.journal, call.params.n);
  const document = checked(mesh, fleet, text, call.now_ms);
  return call.transact((tx, actor) => {
    ensureMatches(policyInEffect(tx), call.if_match);
    return write(tx, { text, document, by: refOf(actor), note: call.query.note ?? null, restored_from });
  });
}

/**
 * Throws when it cannot be read, or when a test of its own fails. Before the transaction, which everybody else waits for:
 * a node that joins in between is as one that joins just after.
 */
function checked({ model }: Mesh, fleet: Fleet, text: string, now_ms: number): PolicyDocument {
  const document = readText(text);
  const failed = failedTests(model, fleet, tryPolicy(model, fleet, document, now_ms));
  if (failed.length === 0) return document;
  const errors = failed.map(({ test, detail }) => ({ pointer: `/tests/${test}`, detail }));
  const [first] = errors;
  const rest = failed.length > 1 ? ` And ${failed.length - 1} more.` : '';
  throw new MeshError('policy_tests_failed', `Test ${failed[0]?.test}: ${first?.detail}${rest}`, { errors });
}

interface Written {
  readonly text: string;
  readonly document: PolicyDocument;
  readonly by: ActorRef;
  readonly note: string | null;
  readonly restored_from: number | null;
}

function write(
  tx: Transaction,
  { text, document, by, note, restored_from }: Written,
): { body: Policy; revision: number } {
  const before = policyInEffect(tx);
  // The same text once more is no new version: whoever keeps the policy in a repository may send it as often as it likes.
  if (before.text === text) return answer(tx);
  const version = (before.stored?.version ?? 0) + 1;
  const about = { version, sha256: sha256Of(text), created_at: utc(tx.now_ms), created_by: by, note, restored_from };
  tx.put('policy', POLICY_ID, { ...about, text, lapsed: lapsedGrants(document, tx.now_ms) });
  keepVersion(tx, versionRecord(about, text, document));
  const from = restored_from === null ? '' : `, restored from ${restored_from}`;
  tx.record({ target: { kind: 'policy', id: POLICY_ID }, detail: `version ${version}${from}` });
  tx.tell({
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
