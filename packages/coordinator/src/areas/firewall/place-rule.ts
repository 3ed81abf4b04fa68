import { invalid } from '@meshwork/contract';
import type { StoredRule } from './stored-rules.ts';

/** The list with one more rule in it. `before` null: it stands last. */
export function withRule(rules: readonly StoredRule[], rule: StoredRule, before: string | null): readonly StoredRule[] {
  if (before === null) return [...rules, rule];
  if (before === rule.id) throw invalid('/before', 'a rule cannot stand before itself');
  const place = rules.findIndex(({ id }) => id === before);
  if (place < 0) throw invalid('/before', `"${before}" is not a host rule`);
  return rules.toSpliced(place, 0, rule);
}
