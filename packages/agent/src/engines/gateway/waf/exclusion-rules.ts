/**
 * Where rules of the rule set do not look: exactly there. The host is that of the ingress and no word of the client. The path is
 * compared as it came, which is how the service gets it. Below a path, one that a service could read as another is not below it:
 * `..`, `//`, `;`, and what is encoded and would mean something.
 */
import type { WafAssignment } from '@meshwork/contract';
import { isScoringRule } from '@meshwork/contract/vocabulary';
import type { RuleInventory } from './rule-inventory.ts';
import { EXCLUSIONS_FROM, numberIn } from './rule-numbers.ts';
import { targetsOf } from './seclang-parts.ts';
import { literally, secRule } from './seclang-text.ts';
import { isOfHost } from './transaction-id.ts';

type Exclusion = WafAssignment['exclusions'][number];

/** Without `.`, `/`, `\`, `;`, `?`, `#` and `%`, in any spelling. */
const PLAIN = "[A-Za-z0-9_~!$&'()*+,=:@-]";
const ENCODED = '%(?:2[0124679a-dA-D]|3[0-9acdeACDE]|[46][0-9a-fA-F]|5[0-9abdefABDEF]|7[0-9a-eA-E])';
/** A segment of dots alone is another place. */
const SEGMENT = `(?!\\.+(?:/|\\?|\\z))(?:\\.|${PLAIN}|${ENCODED})+`;

export function exclusionRules(
  place: number,
  { id, exclusions }: Pick<WafAssignment, 'id' | 'exclusions'>,
  inventory: RuleInventory,
): readonly string[] {
  return exclusions.flatMap((exclusion, index) => {
    const removed = removals(exclusion, inventory);
    if (removed.length === 0) return []; // no rule of this rule set
    return secRule({
      id: numberIn(place, EXCLUSIONS_FROM + index),
      phase: 1,
      when: [
        { variables: 'UNIQUE_ID', operator: `@rx ${isOfHost(id, literally(exclusion.host))}` },
        { variables: 'REQUEST_URI_RAW', operator: `@rx ${pathPattern(exclusion)}` },
      ],
      actions: ['pass', 'nolog'],
      effects: removed,
    });
  });
}

function pathPattern({ path, below }: Pick<Exclusion, 'path' | 'below'>): string {
  const end = '(?:\\x3f|\\z)';
  if (!below) return `\\A${literally(path)}${end}`;
  const base = literally(path.replace(/\/$/, ''));
  const itself = path.endsWith('/') ? `${base}/` : base;
  return `\\A(?:${itself}|${base}/(?:${SEGMENT}(?:/${SEGMENT})*/?)?)${end}`.replaceAll('%', '\\x25');
}

/** A tag stands for the rules that have it: those that add up and judge often have the same, and stay. */
function removals({ rule, tag, parameter }: Exclusion, inventory: RuleInventory): readonly string[] {
  const all = rule === null ? inventory.withTag(tag ?? '') : inventory.has(rule) ? [rule] : [];
  const ids = all.filter((id) => !isScoringRule(id));
  if (parameter === null) return ids.map((id) => `ctl:ruleRemoveById=${id}`);
  const targets = targetsOf(parameter);
  return ids.flatMap((id) => targets.map((target) => `ctl:ruleRemoveTargetById=${id};${target}`));
}
