import { MAX_FIREWALL_RULES, MeshError, newId, utc } from '@meshwork/contract';
import { refOf } from '../../mesh/actor.ts';
import { asPolicyRule } from '../../mesh/host-rules.ts';
import type { View } from '../../mesh/model.ts';
import type { NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Call, Reply } from '../handler.ts';
import { withRule } from './place-rule.ts';
import { replaceRules } from './replace-rules.ts';
import { ensureNone, ruleFaults } from './sound-rules.ts';
import { placeOfRule, ruleRecord, type StoredRule, storedRules } from './stored-rules.ts';

export function createRule(
  call: Call<'firewall.create'>,
  needsIn: (view: View) => NodeNeeds,
): Promise<Reply<'firewall.create'>> {
  const id = newId('firewall', call.now_ms);
  const { before = null, force = false, note = null, enabled = true, ...meaning } = call.body;
  return call.transact((tx, actor) => {
    const old = storedRules(tx);
    if (old.length >= MAX_FIREWALL_RULES) {
      throw new MeshError('too_many', `There are ${old.length} host rules, and ${MAX_FIREWALL_RULES} may be there.`);
    }
    const created = { created_at: utc(tx.now_ms), created_by: refOf(actor), revision: tx.revision };
    const rule: StoredRule = { id, note, ...meaning, enabled, ...created };
    ensureNone(ruleFaults(asPolicyRule(rule)));
    const rules = withRule(old, rule, before);
    const findings = replaceRules(tx, rules, { id, isNew: true, force, needsIn });
    const body = { ...ruleRecord(rules, placeOfRule(rules, id)), findings: [...findings] };
    return { body, revision: body.revision, location: `/v1/firewall/rules/${id}` };
  });
}
