/** `1 node`, `2 nodes`, `2 entries`, `2 ingresses`. */
export function counted(count: number, thing: string): string {
  return `${count} ${count === 1 ? thing : plural(thing)}`;
}

function plural(thing: string): string {
  if (/[^aeiou]y$/.test(thing)) return `${thing.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
