export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What it is compared with, measured in the same run. */
  readonly against?: { readonly what: string; readonly value: number };
  readonly aim?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >>> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Runs both in turn, round by round, so that other load on the machine affects both alike. */
export async function interleaved(
  rounds: number,
  ours: () => Promise<number>,
  theirs: () => Promise<number>,
): Promise<{ ours: number; theirs: number }> {
  const [a, b]: [number[], number[]] = [[], []];
  await theirs(); // both are warm before anything counts
  await ours();
  for (let round = 0; round < rounds; round++) {
    b.push(await theirs());
    a.push(await ours());
  }
  return { ours: median(a), theirs: median(b) };
}
