import { isDeepStrictEqual } from 'node:util';
import { asPolicyRule } from '../../mesh/host-rules.ts';
import type { View } from '../../mesh/model.ts';
import type { NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { withRule } from './place-rule.ts';
import { replaceRules } from './replace-rules.ts';
import { ensureNone, ruleFaults } from './sound-rules.ts';
import { placeOfRule, ruleAt, ruleRecord, type StoredRule, storedRules } from './stored-rules.ts';

export function updateRule(
  call: Call<'firewall.update'>,
  needsIn: (view: View) => NodeNeeds,
): Promise<Reply<'firewall.update'>> {
  const { id } = call.params;
  const { before, force = false, ...patch } = call.body;
  return call.transact((tx) => {
    const old = storedRules(tx);
    const from = placeOfRule(old, id);
    const rule = ruleAt(old, from);
    ensureMatches(rule, call.if_match);
    const changed: StoredRule = { ...patched(rule, patch), revision: tx.revision };
    const rules = before === undefined ? old.with(from, changed) : withRule(old.toSpliced(from, 1), changed, before);
    const to = placeOfRule(rules, id);
    // What stays as it was is no change: neither a new revision nor an entry.
    const isSame = to === from && isDeepStrictEqual({ ...changed, revision: rule.revision }, rule);
    if (isSame) return { body: { ...ruleRecord(old, from), findings: [] }, revision: rule.revision };
    ensureNone(ruleFaults(asPolicyRule(changed)));
    const detail = to === from ? null : `moved from place ${from} to ${to}`;
    const findings = replaceRules(tx, rules, { id, detail, force, needsIn });
    return { body: { ...ruleRecord(rules, to), findings: [...findings] }, revision: changed.revision };
  });
}

/**
 * Null takes a field away, except for the note, which is null when there is none. A rate is replaced as a whole: it has no
 * part that could be left out and mean what it meant before.
 */
function patched(rule: StoredRule, patch: Omit<Call<'firewall.update'>['body'], 'before' | 'force'>): StoredRule {
  const fields = Object.entries({ ...rule, ...patch }).filter(([name, value]) => value !== null || name === 'note');
  return Object.fromEntries(fields) as StoredRule; // only fields that may be absent can be null in a patch
}
