import { DEFAULT_WAF_RULES, newId, utc } from '@meshwork/contract';
import { ensureCovers } from '../../access/rights.ts';
import { refOf } from '../../mesh/actor.ts';
import type { Call, Reply } from '../handler.ts';
import { mergedRules } from './merge-policy.ts';
import { policyRecord, type RecordSources } from './policy-record.ts';
import { ensureSoundPolicy } from './sound-policy.ts';

const NONE: ReadonlySet<string> = new Set();

export function createPolicy(call: Call<'waf.create'>, sources: RecordSources): Promise<Reply<'waf.create'>> {
  const id = newId('waf', call.now_ms);
  const { name, note = null } = call.body;
  return call.transact((tx, actor) => {
    const scope = call.body.scope ?? actor.scope;
    ensureCovers(actor, { permissions: NONE, scope });
    const rules = mergedRules(DEFAULT_WAF_RULES, call.body);
    const made = { created_at: utc(tx.now_ms), created_by: refOf(actor) };
    const body = { name, note, scope, ...rules, exclusions: [], ...made };
    ensureSoundPolicy(body);
    const policy = tx.create('waf', id, body);
    const subject = { kind: 'waf', id } as const;
    tx.record({ target: subject, scope });
    tx.emit({ type: 'waf.created', subject, scope, data: { name } });
    const record = policyRecord(tx, policy, { ...sources, viewer: actor.scope });
    return { body: record, revision: policy.revision, location: `/v1/waf/policies/${id}` };
  });
}
