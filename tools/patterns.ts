/**
 * The pattern language of the boundary rules: `*` is part of one path segment, `**` is anything, `<name>` is one whole
 * segment, `<!name>` is any segment but the one that `<name>` stood for.
 */

export function matches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => compiled(pattern).test(text));
}

/** Both sides at once, so that `<!name>` in `to` can look back at `<name>` in `from`. */
export function matchesPair(
  patterns: { readonly from: readonly string[]; readonly to: readonly string[] },
  pair: { readonly from: string; readonly to: string },
): boolean {
  return patterns.from.some((from) =>
    patterns.to.some((to) => compiled(`${from}\n${to}`).test(`${pair.from}\n${pair.to}`)),
  );
}

/** There are a few hundred patterns, and each is tried with some 20,000 imports. */
const COMPILED = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  const known = COMPILED.get(pattern);
  if (known !== undefined) return known;
  const made = new RegExp(`^${sourceOf(pattern)}$`);
  COMPILED.set(pattern, made);
  return made;
}

function sourceOf(pattern: string): string {
  return pattern.replaceAll(/<(!?)(\w+)>|\*\*|\*|[^\w/]/g, (token, not: string, name: string | undefined) => {
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (name === undefined) return `\\${token}`;
    return not === '' ? `(?<${name}>[^/]+)` : `(?!\\k<${name}>/)[^/]+`;
  });
}
