import { isDeepStrictEqual } from 'node:util';
import type { WafPolicy } from '@meshwork/contract';
import type { WafDocument } from '../../kinds/waf.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { findOwnPolicy } from './find-policy.ts';
import { mergedRules } from './merge-policy.ts';
import { policyRecord, type RecordSources } from './policy-record.ts';
import { ensureSoundPolicy } from './sound-policy.ts';

/** Calls that change one policy. */
type Change = Call<'waf.update'> | Call<'waf.exclude'> | Call<'waf.enforce'> | Call<'waf.include'>;

interface Changed {
  readonly body: WafPolicy;
  readonly revision: number;
}

export function updatePolicy(call: Call<'waf.update'>, sources: RecordSources): Promise<Reply<'waf.update'>> {
  const { name, note, ...rules } = call.body;
  return changePolicy(call, sources, (_, { body }) => ({
    ...body,
    name: name ?? body.name,
    note: note === undefined ? body.note : note,
    ...mergedRules(body, rules),
  }));
}

/** Every change of a policy goes through here. One that changes nothing is neither a new revision nor an entry. */
export function changePolicy(
  call: Change,
  sources: RecordSources,
  changed: (tx: Transaction, old: Stored<'waf'>, actor: TokenActor) => WafDocument,
): Promise<Changed> {
  return call.transact((tx: Transaction, actor: TokenActor) => {
    const old = findOwnPolicy(tx, call.params.id, actor);
    ensureMatches(old, call.if_match);
    const body = changed(tx, old, actor);
    const policy = isDeepStrictEqual(body, old.body) ? old : kept(tx, old.id, body);
    return { body: policyRecord(tx, policy, { ...sources, viewer: actor.scope }), revision: policy.revision };
  });
}

function kept(tx: Transaction, id: string, body: WafDocument): Stored<'waf'> {
  ensureSoundPolicy(body);
  const { scope, name } = body;
  const subject = { kind: 'waf', id } as const;
  tx.record({ target: subject, scope });
  tx.emit({ type: 'waf.changed', subject, scope, data: { name } });
  return tx.put('waf', id, body);
}
