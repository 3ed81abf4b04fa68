/** Routing rules and routes of other programs that may lead packets of the mesh elsewhere. */
import {
  DEFAULT_ROUTE,
  FAMILIES,
  type Family,
  formatNetwork,
  isDefaultRoute,
  type Network,
  readNetwork,
} from '@meshwork/addresses';
import type { ForeignRule } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { ROUTE_PROTOCOL, ROUTE_TABLE, RULE_PRIORITY } from '../../host/own-numbers.ts';
import { CommandError, type RunCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';
import type { ForeignSource } from '../foreign-report.ts';
import { isReached, type MeshReach } from '../mesh-reach.ts';

interface IpRule {
  readonly priority: number;
  readonly not?: unknown;
  readonly src?: string;
  readonly srclen?: number;
  readonly dst?: string;
  readonly dstlen?: number;
  readonly iif?: string;
  readonly ipproto?: string;
  readonly dport?: number;
  readonly dport_start?: number;
  readonly dport_end?: number;
  readonly table?: string;
  readonly action?: string;
  readonly suppress_prefixlen?: number;
  readonly protocol?: string;
}

interface IpRoute {
  readonly type?: string;
  readonly dst: string;
  readonly dev?: string;
}

interface SeenRule {
  readonly family: Family;
  readonly rule: IpRule;
  /** As `ip rule` lists it. */
  readonly text: string;
  /** Of the table that it leads to. */
  readonly routes: readonly Network[];
}

interface SeenAddress {
  readonly text: string;
  readonly network: Network;
}

/** Ours. A router of the internet has a million routes, and they all stand in tables that are asked after ours. */
const BOUNDS = { timeout_ms: 5000, max_output_bytes: 4 * 1024 * 1024 } as const;

export class ForeignRouting implements ForeignSource {
  readonly #run: RunCommand;
  #last:
    | { readonly rules: readonly SeenRule[]; readonly addresses: readonly SeenAddress[] }
    | { readonly failed: string }
    | undefined;

  constructor(run: RunCommand) {
    this.#run = run;
  }

  async look(): Promise<void> {
    try {
      const [rules, addresses]: [SeenRule[], SeenAddress[]] = [[], []];
      for (const family of FAMILIES) {
        rules.push(...(await this.#rulesBeforeOurs(family)));
        addresses.push(...(await this.#otherAddresses(family)));
      }
      this.#last = { rules, addresses };
    } catch (error) {
      this.#last = { failed: messageOf(error) };
    }
  }

  /** What comes to the host itself is decided before any rule of another program. */
  rules(reach: MeshReach): readonly ForeignRule[] | undefined {
    if (this.#last === undefined) return undefined;
    const directions = reach.forwards ? (['out', 'forward'] as const) : (['out'] as const);
    const found = 'failed' in this.#last ? [unreadable(this.#last.failed)] : judged(this.#last, reach);
    return directions.flatMap((direction) => found.map((rule) => ({ ...rule, direction })));
  }

  /** Ours answer for all of the mesh, so what comes after them decides nothing. */
  async #rulesBeforeOurs(family: Family): Promise<SeenRule[]> {
    const rules = JSON.parse((await this.#ip(family, '-json', 'rule', 'show')) || '[]') as readonly IpRule[];
    const others = rules.filter((rule) => rule.priority < RULE_PRIORITY.mesh && !isOurs(rule) && !isLocal(rule));
    if (others.length === 0) return [];
    const lines = (await this.#ip(family, 'rule', 'show')).split('\n');
    const seen: SeenRule[] = [];
    for (const rule of others) {
      const text = lines.find(
        (line) => line.startsWith(`${rule.priority}:`) && !line.includes(`proto ${ROUTE_PROTOCOL}`),
      );
      const routes = rule.table === undefined ? [] : await this.#networksIn(family, rule.table);
      seen.push({ family, rule, text: (text ?? JSON.stringify(rule)).replaceAll('\t', ' '), routes });
    }
    return seen;
  }

  async #networksIn(family: Family, table: string): Promise<Network[]> {
    try {
      const routes = JSON.parse(
        (await this.#ip(family, '-json', 'route', 'show', 'table', table)) || '[]',
      ) as IpRoute[];
      return routes.map(({ dst }) => readNetwork(dst === 'default' ? DEFAULT_ROUTE[family] : dst));
    } catch (error) {
      if (error instanceof CommandError && error.stderr.includes('FIB table does not exist')) return [];
      throw error;
    }
  }

  /** The kernel asks first whether an address is the host's own, on whatever interface. */
  async #otherAddresses(family: Family): Promise<SeenAddress[]> {
    const routes = JSON.parse(
      (await this.#ip(family, '-json', 'route', 'show', 'table', 'local', 'type', 'local')) || '[]',
    ) as readonly IpRoute[];
    return routes
      .filter(({ dev }) => dev !== MESH_INTERFACE && dev !== 'lo')
      .map(({ dst, dev }) => ({ text: `${dst} on ${dev}`, network: readNetwork(dst) }));
  }

  async #ip(family: Family, ...args: readonly string[]): Promise<string> {
    return await this.#run('ip', [`-${family}`, ...args], BOUNDS);
  }
}

type Judged = Omit<ForeignRule, 'direction'>;

function judged(
  { rules, addresses }: { readonly rules: readonly SeenRule[]; readonly addresses: readonly SeenAddress[] },
  reach: MeshReach,
): readonly Judged[] {
  return [
    ...rules.flatMap((seen) => judgedRule(seen, reach)),
    ...addresses
      .filter(({ network }) => isReached(reach, [network]))
      .map(({ text, network }) => ({ kind: 'address' as const, text, to: [formatNetwork(network)] })),
  ];
}

/** Selectors that are not understood, such as a mark, limit nothing. */
function judgedRule({ family, rule, text, routes }: SeenRule, reach: MeshReach): readonly Judged[] {
  const isNot = rule.not !== undefined;
  const [from, to] = [selector(rule.src, rule.srclen), selector(rule.dst, rule.dstlen)];
  const everywhere = readNetwork(DEFAULT_ROUTE[family]);
  if (!isNot && ![from, to].every((one) => isReached(reach, [one ?? everywhere]))) return [];
  if (rule.action === undefined && !leadsAway(rule, routes, reach)) return [];
  const protocol =
    rule.ipproto === 'tcp' || rule.ipproto === 'udp' || rule.ipproto === 'icmp' ? rule.ipproto : undefined;
  const ports =
    rule.dport_start === undefined ? rule.dport && `${rule.dport}` : `${rule.dport_start}-${rule.dport_end}`;
  return [
    {
      kind: 'route',
      text,
      to: [formatNetwork((isNot ? undefined : to) ?? everywhere)],
      ...(isNot || from === undefined ? {} : { from: [formatNetwork(from)] }),
      ...(isNot || protocol === undefined ? {} : { protocol }),
      ...(isNot || typeof ports !== 'string' ? {} : { ports: [ports] }),
    },
  ];
}

/** Whether its table has an answer for an address of the mesh. `suppress_prefixlength 0` leaves default routes out. */
function leadsAway({ table, suppress_prefixlen }: IpRule, routes: readonly Network[], reach: MeshReach): boolean {
  if (table === String(ROUTE_TABLE)) return false;
  const counted = suppress_prefixlen === undefined ? routes : routes.filter((route) => !isDefaultRoute(route));
  return isReached(reach, counted);
}

function isOurs({ protocol, priority }: IpRule): boolean {
  return protocol === String(ROUTE_PROTOCOL) && Object.values<number>(RULE_PRIORITY).includes(priority);
}

/** What is meant for the host itself, which some programs ask for in another place. */
function isLocal({ table, action }: IpRule): boolean {
  return table === 'local' && action === undefined;
}

function selector(address: string | undefined, length: number | undefined): Network | undefined {
  if (address === undefined || address === 'all') return undefined;
  return readNetwork(length === undefined ? address : `${address}/${length}`);
}

function unreadable(reason: string): Judged {
  return { kind: 'route', text: `the routing rules of other programs cannot be read: ${reason}` };
}
