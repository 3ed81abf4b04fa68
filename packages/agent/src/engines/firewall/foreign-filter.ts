/**
 * Which rules of other programs' packet filters may drop or redirect packets of the mesh. In nftables each base chain decides
 * for itself: accepting a packet in one of them does not help it in the next, so only what drops, redirects or hides matters.
 */
import { formatNetwork, isDefaultRoute } from '@meshwork/addresses';
import type { ForeignRule } from '@meshwork/contract';
import { isReached, type MeshReach } from '../mesh-reach.ts';
import type { ForeignChain, ForeignChains, PrintedRules } from './foreign-chains.ts';
import { isRecord } from './nft-json.ts';
import { ANY_PACKET, isMeshName, type Match, narrowed, type RuleScope, withFamily } from './rule-scope.ts';

type Direction = ForeignRule['direction'];

/** By hook: which packets pass there. Packets that are forwarded pass where those that come and go do, too. */
const DIRECTIONS: Readonly<Record<string, readonly Direction[]>> = {
  ingress: ['in', 'forward'],
  prerouting: ['in', 'forward'],
  input: ['in'],
  forward: ['forward'],
  output: ['out'],
  postrouting: ['out', 'forward'],
  egress: ['out', 'forward'],
};
const FAMILIES: ReadonlySet<string> = new Set(['ip', 'ip6', 'inet', 'netdev']);
/** Ours: chains lead to chains, but the kernel allows 16 levels only. */
const MAX_DEPTH = 16;
const MAX_LISTED = 20;

export function foreignFilterRules(
  chains: ForeignChains,
  { texts, devices }: Pick<PrintedRules, 'texts' | 'devices'>,
  reach: MeshReach,
): readonly ForeignRule[] {
  return chains.bases
    .filter(({ family }) => FAMILIES.has(family))
    .filter(({ family, table, name }) => devices.get(`${family} ${table} ${name}`)?.some(isMeshName) ?? true)
    .flatMap((base) =>
      (DIRECTIONS[base.base.hook] ?? [])
        .filter((direction) => direction !== 'forward' || reach.forwards)
        .flatMap((direction) => new ChainWalk({ chains, texts, reach, direction }).base(base)),
    );
}

interface WalkOptions {
  readonly chains: ForeignChains;
  readonly texts: ReadonlyMap<string, string>;
  readonly reach: MeshReach;
  readonly direction: Direction;
}

/** One way through a base chain, for packets of one direction. */
class ChainWalk {
  readonly #options: WalkOptions;
  readonly #found: ForeignRule[] = [];
  /** Which packets of the mesh are accepted for certain, whatever comes later: those that come, that go, and answers. */
  readonly #accepted = new Set<'in' | 'out' | 'answers'>();

  constructor(options: WalkOptions) {
    this.#options = options;
  }

  base(chain: ForeignChain & { readonly base: { readonly policy: string } }): readonly ForeignRule[] {
    const scope = withFamily(ANY_PACKET, chain.family);
    this.#chain(chain, scope, 0);
    if (chain.base.policy === 'drop' && !this.#isSettled()) this.#report(chain, scope, 'policy drop');
    return this.#found;
  }

  #chain(chain: ForeignChain, scope: RuleScope, depth: number): void {
    if (depth > MAX_DEPTH) return;
    for (const { handle, statements } of chain.rules) {
      if (this.#isSettled()) return;
      const { family, table, name } = chain;
      const text = this.#options.texts.get(`${family} ${table} ${name} ${handle}`) ?? JSON.stringify(statements);
      this.#rule({ chain, scope, depth, text }, statements);
    }
  }

  #rule(
    { chain, scope: outer, depth, text }: { chain: ForeignChain; scope: RuleScope; depth: number; text: string },
    statements: readonly Readonly<Record<string, unknown>>[],
  ): void {
    let scope = outer;
    for (const statement of statements) {
      const [[kind, content] = ['', null]] = Object.entries(statement);
      if (kind === 'match' && isRecord(content)) scope = narrowed(scope, content as unknown as Match);
      else if (CONDITIONS.has(kind)) scope = { ...scope, isExact: false };
      if (!this.#concerns(scope)) return;
      if (kind === 'accept') this.#accept(scope);
      else if (kind === 'jump' || kind === 'goto') this.#follow(chain, content, scope, depth);
      else if (kind === 'vmap') this.#verdictMap({ chain, scope, depth, text }, content);
      else if (HARMFUL.has(kind) && !(scope.isInvalidOnly && kind !== 'notrack')) this.#report(chain, scope, text);
    }
  }

  #follow(chain: ForeignChain, content: unknown, scope: RuleScope, depth: number): void {
    const target = isRecord(content) ? this.#options.chains.beside(chain, String(content.target)) : undefined;
    if (target !== undefined) this.#chain(target, scope, depth + 1);
  }

  /** Which of its verdicts a packet meets is not followed. A map with a name of its own may hold any. */
  #verdictMap(
    { chain, scope, depth, text }: { chain: ForeignChain; scope: RuleScope; depth: number; text: string },
    content: unknown,
  ): void {
    const data =
      isRecord(content) && isRecord(content.data) && Array.isArray(content.data.set) ? content.data.set : null;
    const inner = { ...scope, isExact: false };
    const verdicts = (data ?? []).flatMap((pair) =>
      Array.isArray(pair) && isRecord(pair[1]) ? Object.entries(pair[1]) : [],
    );
    if (data === null || verdicts.some(([kind]) => HARMFUL.has(kind))) this.#report(chain, inner, text);
    for (const [kind, target] of verdicts) {
      if (kind === 'jump' || kind === 'goto') this.#follow(chain, target, inner, depth);
    }
  }

  #accept(scope: RuleScope): void {
    const isWhole = [scope.from, scope.to].every((networks) => networks?.every(isDefaultRoute) ?? true);
    if (!isWhole || scope.protocols !== undefined || scope.ports !== undefined) return;
    if (scope.isEstablished && scope.iif === undefined && scope.oif === undefined) this.#accepted.add('answers');
    if (!scope.isExact) return;
    if (scope.oif === undefined && !scope.not_oif && allows(scope.iif, scope.not_iif)) this.#accepted.add('in');
    if (scope.iif === undefined && !scope.not_iif && allows(scope.oif, scope.not_oif)) this.#accepted.add('out');
  }

  /** Nothing that comes later in this base chain matters to packets of the mesh. */
  #isSettled(): boolean {
    const { direction } = this.#options;
    if (direction !== 'forward') return this.#accepted.has(direction);
    return this.#accepted.has('in') && (this.#accepted.has('out') || this.#accepted.has('answers'));
  }

  #concerns({ iif, oif, not_iif, not_oif, from, to, protocols }: RuleScope): boolean {
    const { direction, reach } = this.#options;
    const [comes, goes] = [allows(iif, not_iif), allows(oif, not_oif)];
    if (direction === 'in' ? !comes : direction === 'out' ? !goes : !comes && !goes) return false;
    if (protocols !== undefined && !protocols.some((one) => PROTOCOLS.has(one))) return false;
    return [from, to].every((networks) => networks === undefined || isReached(reach, networks));
  }

  #report({ family, table, name }: ForeignChain, scope: RuleScope, text: string): void {
    const { direction } = this.#options;
    const { iif, oif, from, to, protocols, ports } = scope;
    const names = direction === 'in' ? iif : direction === 'out' ? oif : (iif ?? oif);
    const [only] = names ?? [];
    const [protocol, ...others] = protocols ?? [];
    this.#found.push({
      kind: 'filter',
      direction,
      text: `table ${family} ${table}, chain ${name}: ${text}`,
      ...(names?.length === 1 && only !== undefined && !only.endsWith('*') ? { interface: only.slice(0, 15) } : {}),
      ...networksOf('from', from),
      ...networksOf('to', to),
      ...(protocol !== undefined && others.length === 0 && isProtocol(protocol) ? { protocol } : {}),
      ...(ports === undefined || ports.length > MAX_LISTED ? {} : { ports: [...ports] }),
    });
  }
}

/** Statements that decide about a packet to its harm, or that nothing is known of. `xt`: a rule of iptables that nftables cannot show. */
const HARMFUL: ReadonlySet<string> = new Set([
  'drop',
  'reject',
  'queue',
  'dnat',
  'redirect',
  'tproxy',
  'notrack',
  'synproxy',
  'fwd',
  'xt',
]);
/** Statements that let a rule go on for some packets only. */
const CONDITIONS: ReadonlySet<string> = new Set(['limit', 'quota', 'ct count', 'meter', 'xt']);
const PROTOCOLS: ReadonlySet<string> = new Set(['tcp', 'udp', 'icmp']);

function isProtocol(name: string): name is 'tcp' | 'udp' | 'icmp' {
  return PROTOCOLS.has(name);
}

function allows(names: readonly string[] | undefined, isOther: boolean | undefined): boolean {
  return isOther !== true && (names?.some(isMeshName) ?? true);
}

function networksOf(side: 'from' | 'to', networks: RuleScope['from']): Partial<Pick<ForeignRule, 'from' | 'to'>> {
  if (networks === undefined || networks.length > MAX_LISTED) return {};
  return { [side]: networks.map(formatNetwork) };
}
