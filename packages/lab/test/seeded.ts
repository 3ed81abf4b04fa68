/** Random in a way that a seed repeats. Good enough to choose with; nothing secret comes from it. */
export interface Random {
  (): number;
  /** From 0 to less than the limit. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  /** One of them, each as likely as its weight says. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T;
}

export function seeded(seed: number): Random {
  const next = mulberry32(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  return Object.assign(next, {
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    weighted: <T>(items: readonly (readonly [number, T])[]): T => {
      let left = next() * items.reduce((sum, [weight]) => sum + weight, 0);
      const found = items.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? items.at(-1))?.[1] as T;
    },
  });
}

/** Tommy Ettinger's mulberry32, which is in the public domain. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
