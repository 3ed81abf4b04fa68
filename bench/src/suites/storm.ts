import { Fleet } from '@meshwork/lab';
import { BenchCoordinator } from '../bench-coordinator.ts';
import type { Row } from '../measure.ts';

const SIZES = [300, 3000, 10_000] as const;
/** Peers on either side of a node. */
const EACH = 16;

/**
 * All agents restart at the same moment, authenticate, and get their full view; each has other peers than any other. How long
 * until the last one has its full view.
 */
export async function stormSuite(): Promise<Row[]> {
  const rows: Row[] = [];
  let smallest: { readonly value: number; readonly size: number } | undefined;
  for (const size of SIZES) {
    const value = await stormOf(size);
    smallest ??= { value, size };
    const times = size / smallest.size;
    rows.push({
      what: `storm of ${size} agents, ${2 * EACH} peers each`,
      value,
      unit: 's',
      against: { what: `${times.toFixed(0)} × that of ${smallest.size}`, value: smallest.value * times },
      ...(size === SIZES.at(-1) ? { aim: '< 30 s, linear' } : {}),
    });
  }
  return rows;
}

async function stormOf(size: number): Promise<number> {
  await using coordinator = await BenchCoordinator.start({ peers_each: EACH });
  const { url, token } = coordinator;
  await using fleet = new Fleet({ urls: [url], token, concurrency: 32, max_links: 0 });
  await fleet.join(size);
  const pairs = 2 * EACH * size - EACH * (EACH + 1); // those at the ends have fewer
  const isWhole = () => fleet.stats().peers === pairs;
  const whole = () => fleet.until(isWhole, { timeout_ms: 120_000 });
  await whole();
  await fleet.stop(fleet.nodes);
  const startedAt = performance.now();
  for (const node of fleet.nodes) node.start();
  await whole();
  return (performance.now() - startedAt) / 1000;
}
