/** The rule set of a host without what is ours, from `nft -j list ruleset`: base chains, and the chains that they lead to. */
import { NODE_TABLE } from '@meshwork/contract/vocabulary';
import { CARRIER_TABLES, PROBE_TABLES, RELAY_TABLE } from '../../host/own-numbers.ts';
import { isRecord } from './nft-json.ts';

export interface ForeignChain {
  readonly family: string;
  readonly table: string;
  readonly name: string;
  readonly base: BaseChain | undefined;
  readonly rules: readonly ChainRule[];
}

interface BaseChain {
  readonly hook: string;
  readonly policy: string;
}

interface ChainRule {
  readonly handle: number;
  readonly statements: readonly Readonly<Record<string, unknown>>[];
}

const SIDE_TABLES: ReadonlySet<string> = new Set([RELAY_TABLE, ...Object.values(CARRIER_TABLES)]);

/**
 * Ours, and not the packet filter: of a probe that runs, of the relay, or of the carrier. They decide about nothing that goes
 * through the mesh.
 */
export function isSideTable(name: string): boolean {
  return SIDE_TABLES.has(name) || name.startsWith(PROBE_TABLES);
}

/** By family and name. */
export function isOwnTable(table: string): boolean {
  const [family, name = ''] = table.split(' ');
  return family === 'inet' && (name === NODE_TABLE || isSideTable(name));
}

export class ForeignChains {
  readonly #chains = new Map<string, ForeignChain & { readonly rules: ChainRule[] }>();

  /** Each listing may be of one table, or of all. */
  constructor(...listings: readonly string[]) {
    for (const json of listings) {
      const { nftables } = JSON.parse(json) as { readonly nftables: readonly Readonly<Record<string, unknown>>[] };
      for (const { chain, rule } of nftables) {
        if (isRecord(chain) && !isOurs(chain)) this.#add(chain);
        if (isRecord(rule)) this.#find(rule.family, rule.table, rule.chain)?.rules.push(ruleOf(rule));
      }
    }
  }

  get bases(): readonly (ForeignChain & { readonly base: BaseChain })[] {
    return [...this.#chains.values()].flatMap((chain) =>
      chain.base === undefined ? [] : [{ ...chain, base: chain.base }],
    );
  }

  /** A chain of the same table. */
  beside({ family, table }: ForeignChain, name: string): ForeignChain | undefined {
    return this.#find(family, table, name);
  }

  #find(...key: readonly unknown[]) {
    return this.#chains.get(key.join(' '));
  }

  #add({ family, table, name, hook, policy }: Readonly<Record<string, unknown>>): void {
    const base = hook === undefined ? undefined : { hook: String(hook), policy: String(policy ?? 'accept') };
    const chain = { family: String(family), table: String(table), name: String(name), base, rules: [] };
    this.#chains.set(`${family} ${table} ${name}`, chain);
  }
}

function isOurs({ family, table }: Readonly<Record<string, unknown>>): boolean {
  return isOwnTable(`${family} ${table}`);
}

function ruleOf({ handle, expr }: Readonly<Record<string, unknown>>): ChainRule {
  return { handle: Number(handle), statements: Array.isArray(expr) ? expr.filter(isRecord) : [] };
}

/** What `nft -a list ruleset` prints. */
export interface PrintedRules {
  /** By their place and handle: `ip filter INPUT 4` → `tcp dport 22 drop`. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of chains that look at some devices only, which the JSON of nft 1.0.6 leaves out: by their place. */
  readonly devices: ReadonlyMap<string, readonly string[]>;
  /** By family and name. */
  readonly tables: readonly string[];
  /** Those that are switched off. */
  readonly dormant: ReadonlySet<string>;
}

export function printedRules(listing: string): PrintedRules {
  const texts = new Map<string, string>();
  const tables: string[] = [];
  const dormant = new Set<string>();
  const devices = new Map<string, readonly string[]>();
  let [table, chain] = ['', ''];
  for (const line of listing.split('\n')) {
    const opened = /^\s*(table|chain) (.*?) \{/.exec(line);
    if (opened?.[1] === 'table') {
      table = opened[2] ?? '';
      tables.push(table);
    } else if (opened !== null) chain = opened[2] ?? '';
    else if (/^\tflags .*dormant/.test(line)) dormant.add(table);
    const looked = /^\s*type \w+ hook \w+ devices? (.*) priority /.exec(line)?.[1];
    if (looked !== undefined) devices.set(`${table} ${chain}`, looked.match(/[^\s"{},=]+/g) ?? []);
    const rule = opened === null ? /^\s*(.*) # handle (\d+)$/.exec(line) : null;
    if (rule !== null) texts.set(`${table} ${chain} ${rule[2]}`, rule[1] ?? '');
  }
  return { texts, devices, tables, dormant };
}
