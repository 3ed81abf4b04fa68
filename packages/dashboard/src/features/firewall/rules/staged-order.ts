/** Puts the rules in the staged order, though some may have been added or deleted meanwhile. */
export function inStagedOrder<Rule extends { readonly id: string }>(
  rules: readonly Rule[],
  staged: readonly string[] | null,
): readonly Rule[] {
  if (staged === null) return rules;
  const known = new Set(staged);
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const order: Rule[] = staged.flatMap((id) => byId.get(id) ?? []);
  // A new rule stands behind the one that it was put behind.
  for (const [index, rule] of rules.entries()) {
    if (known.has(rule.id)) continue;
    const before = rules[index - 1];
    const place = before === undefined ? 0 : order.indexOf(before) + 1;
    order.splice(place, 0, rule);
  }
  return order;
}

export function isSameOrder(a: readonly { readonly id: string }[], b: readonly { readonly id: string }[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]?.id);
}
