import type { ProbeResult } from '@meshwork/contract';
import { NODE_TABLE } from '@meshwork/contract/vocabulary';
import { CommandError, type RunCommand } from '../host/run-command.ts';

/** The chains of the host rules, as `@meshwork/policy/firewall` names them. The others have one rule for thousands of peers. */
const CHAINS = ['host_in', 'host_out', 'host_forward'] as const;

type RuleCounts = NonNullable<ProbeResult['look']>['rules'];

/** What is read of a listing of nftables. */
interface Listing {
  readonly nftables: readonly {
    readonly rule?: {
      readonly comment?: string;
      readonly expr: readonly { readonly counter?: { readonly packets: number } | string | null }[];
    };
  }[];
}

/** Packets that these host rules dropped since the table was loaded. A rule that is not there is left out. */
export async function ruleCounts(rules: ReadonlySet<string>, run: RunCommand): Promise<RuleCounts> {
  if (rules.size === 0) return [];
  const listings = await Promise.all(CHAINS.map((chain) => listing(chain, run)));
  const counts = new Map<string, number>();
  for (const { rule } of listings.flatMap(({ nftables }) => nftables)) {
    const id = /^rule (.+)$/.exec(rule?.comment ?? '')?.[1];
    if (id === undefined || !rules.has(id)) continue;
    counts.set(id, counts.get(id) ?? 0); // one that does not count drops nothing
    for (const { counter } of rule?.expr ?? []) {
      // A rule about both families of addresses is two in the table.
      if (typeof counter === 'object' && counter !== null) counts.set(id, (counts.get(id) ?? 0) + counter.packets);
    }
  }
  return Array.from(counts, ([rule, packets]) => ({ rule, packets }));
}

async function listing(chain: string, run: RunCommand): Promise<Listing> {
  try {
    return JSON.parse(await run('nft', ['-j', 'list', 'chain', 'inet', NODE_TABLE, chain]));
  } catch (error) {
    // Without host rules in a direction there is no such chain.
    if (error instanceof CommandError && error.stderr.includes('No such file or directory')) return { nftables: [] };
    throw error;
  }
}
