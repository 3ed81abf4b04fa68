import type { View } from '../../mesh/model.ts';
import type { NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Call, Reply } from '../handler.ts';
import { ensureMatches } from '../versions.ts';
import { replaceRules } from './replace-rules.ts';
import { placeOfRule, ruleAt, storedRules } from './stored-rules.ts';

/** This too can cut agents off: the rule may have been what let them through before a later one drops. */
export function deleteRule(
  call: Call<'firewall.delete'>,
  needsIn: (view: View) => NodeNeeds,
): Promise<Reply<'firewall.delete'>> {
  const { id } = call.params;
  const { force = false } = call.query;
  return call.transact((tx) => {
    const old = storedRules(tx);
    const place = placeOfRule(old, id);
    ensureMatches(ruleAt(old, place), call.if_match);
    replaceRules(tx, old.toSpliced(place, 1), { id, force, needsIn });
    return { body: undefined };
  });
}
