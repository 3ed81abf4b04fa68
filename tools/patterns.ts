/**
 * The pattern language of the boundary rules: `*` is part of one path segment, `**` is anything, `<name>` is one whole
 * segment, `<!name>` is any segment but the one that `<name>` stood for.
 */

export function matches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => new RegExp(`^${sourceOf(pattern)}$`).test(text));
}

/** Both sides at once, so that `<!name>` in `to` can look back at `<name>` in `from`. */
export function matchesPair(
  patterns: { readonly from: readonly string[]; readonly to: readonly string[] },
  pair: { readonly from: string; readonly to: string },
): boolean {
  return patterns.from.some((from) =>
    patterns.to.some((to) => new RegExp(`^${sourceOf(from)}\n${sourceOf(to)}$`).test(`${pair.from}\n${pair.to}`)),
  );
}

function sourceOf(pattern: string): string {
  return pattern.replaceAll(/<(!?)(\w+)>|\*\*|\*|[^\w/]/g, (token, not: string, name: string | undefined) => {
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (name === undefined) return `\\${token}`;
    return not === '' ? `(?<${name}>[^/]+)` : `(?!\\k<${name}>/)[^/]+`;
  });
}
