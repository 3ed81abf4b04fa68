import { DEFAULT_LIMIT, decodeCursor, encodeCursor, type FirewallRule, invalid } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import { ruleRecord, type StoredRule, storedRules } from './stored-rules.ts';

const LIST = 'firewall.list';

/** In the order in which they are asked, which is that of no id: `pageById` would not do. */
export function listRules(
  view: View,
  { limit = DEFAULT_LIMIT, cursor }: { readonly limit?: number; readonly cursor?: string },
): { items: FirewallRule[]; next_cursor: string | null } {
  const rules = storedRules(view);
  const start = cursor === undefined ? 0 : placeAfter(rules, cursor);
  const items = rules.slice(start, start + limit).map((_, index) => ruleRecord(rules, start + index));
  const last = items.at(-1);
  const isEnd = last === undefined || start + limit >= rules.length;
  return { items, next_cursor: isEnd ? null : encodeCursor(LIST, `${last.id} ${last.position}`) };
}

/**
 * The page goes on behind the last rule of the page before, wherever that stands now. When it is gone, its successor
 * has moved up into its place, so the page goes on there; if others came, went or moved meanwhile, one may be missed or
 * seen twice. A caller that must have the list as of one moment requests one page that is long enough, or compares
 * revisions.
 */
function placeAfter(rules: readonly StoredRule[], cursor: string): number {
  const [id, place = ''] = decodeCursor(LIST, cursor, 'string').split(' ');
  if (!/^\d{1,6}$/.test(place)) throw invalid('query/cursor', 'is not a cursor of this list');
  const now = rules.findIndex((rule) => rule.id === id);
  return now < 0 ? Number(place) : now + 1;
}
