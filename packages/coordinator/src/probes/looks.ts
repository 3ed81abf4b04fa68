/** What nodes said when they were asked to look, for as long as that is fresh. */
import type { Applied, AppliedSection, ForeignRule, LinkReport, NodeId, ProbeResult } from '@meshwork/contract';
import { MAX_LOOKED_AT } from '@meshwork/contract';
import { answersProbes } from '../mesh/abilities.ts';
import type { Model } from '../mesh/model.ts';
import type { ProbeDesk } from './probe-desk.ts';

/** Ours: an explanation rests on nothing older than this. We promise five seconds, and a look takes its time too. */
const FRESH_MS = 3000;
/** Ours: one that did not answer is asked again sooner: it may be back. */
const SILENT_MS = 1000;
/** Ours: how long a node waits for a packet of its peers, and the coordinator for the node. */
const HEARD_WITHIN_MS = 600;
const ANSWERED_WITHIN_MS = 1000;
/** Ours: what is not fresh any more is swept when there are so many. */
const SWEPT_ABOVE = 4096;

/** Of one node. `at` in listening time. */
interface Look {
  readonly at: number;
  /** The newest revision of the mesh when the node was asked. */
  readonly revision: number;
  /** Undefined: it did not answer in time, or that it could not. */
  readonly said: Said | undefined;
}

interface Said {
  readonly filter: string | null;
  readonly dropped: ReadonlyMap<string, number>;
  readonly applied: { readonly [S in AppliedSection]?: Applied | undefined };
  readonly foreign: readonly ForeignRule[] | undefined;
}

/** Of a link, by one of its ends. */
interface HeardLink {
  readonly at: number;
  readonly came: boolean;
  readonly link: LinkReport | undefined;
}

/** A node to look at: which links, and the counters of which rules. */
export interface LookWish {
  readonly peers: readonly NodeId[];
  readonly rules: readonly string[];
}

export class Looks {
  readonly #desk: Pick<ProbeDesk, 'ask'>;
  readonly #model: Model;
  readonly #now: () => number;
  readonly #looks = new Map<NodeId, Look>();
  readonly #heard = new Map<string, HeardLink>();

  constructor(parts: { readonly desk: Pick<ProbeDesk, 'ask'>; readonly model: Model; readonly now: () => number }) {
    this.#desk = parts.desk;
    this.#model = parts.model;
    this.#now = parts.now;
  }

  /** The last look at a node, if it is fresh. */
  of(node: NodeId): Look | undefined {
    const look = this.#fresh(this.#looks.get(node));
    return look?.said === undefined && look !== undefined && this.#now() - look.at > SILENT_MS ? undefined : look;
  }

  /** What a node heard of a peer in a look that is fresh. */
  heard(node: NodeId, peer: NodeId): HeardLink | undefined {
    return this.#fresh(this.#heard.get(linkKey(node, peer)));
  }

  /** Whether a look would say more than is known. Nodes whose agents do not answer looks are left as they are. */
  isDue(node: NodeId, { peers, rules }: LookWish): boolean {
    if (!answersProbes(this.#model, node, 'look')) return false;
    const look = this.of(node);
    if (look === undefined) return true;
    if (look.said === undefined) return false;
    return (
      peers.some((peer) => this.heard(node, peer) === undefined) || rules.some((rule) => !look.said?.dropped.has(rule))
    );
  }

  /** Has all of these nodes look at the same time: each one's packets are what the other hears. Resolves when all have, or the time is over. */
  async look(wishes: ReadonlyMap<NodeId, LookWish>): Promise<void> {
    await Promise.all(Array.from(wishes, ([node, wish]) => this.#lookAt(node, wish)));
  }

  async #lookAt(node: NodeId, { peers, rules }: LookWish): Promise<void> {
    const { revision } = this.#model;
    const look = {
      peers: peers.slice(0, MAX_LOOKED_AT),
      rules: rules.slice(0, MAX_LOOKED_AT),
      within_ms: HEARD_WITHIN_MS,
    };
    const result = await this.#desk.ask(node, { look }, ANSWERED_WITHIN_MS);
    const at = this.#now();
    if (this.#looks.size + this.#heard.size > SWEPT_ABOVE) this.#sweep();
    this.#looks.set(node, { at, revision, said: saidIn(result) });
    for (const { peer, heard, link } of result?.look?.links ?? []) {
      this.#heard.set(linkKey(node, peer as NodeId), { at, came: heard, link });
    }
  }

  #fresh<T extends { readonly at: number }>(looked: T | undefined): T | undefined {
    return looked !== undefined && this.#now() - looked.at <= FRESH_MS ? looked : undefined;
  }

  #sweep(): void {
    for (const [node, look] of this.#looks) if (this.#fresh(look) === undefined) this.#looks.delete(node);
    for (const [key, link] of this.#heard) if (this.#fresh(link) === undefined) this.#heard.delete(key);
  }
}

function linkKey(node: NodeId, peer: NodeId): string {
  return `${node} ${peer}`;
}

function saidIn(result: ProbeResult | undefined): Said | undefined {
  if (result?.look === undefined) return undefined;
  const { filter, rules, applied, foreign } = result.look;
  return {
    filter: filter ?? null,
    dropped: new Map(rules.map(({ rule, packets }) => [rule, packets])),
    applied: applied ?? {},
    foreign,
  };
}
