import type { NodeId } from '@meshwork/contract';
import { EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';
import { ChangeLog } from './change-log.ts';
import type { PeerCards } from './peer-cards.ts';
import type { Cohort, Move, Reach } from './reach.ts';

/** What is new for all members of a cohort alike: about their peers. */
export interface News {
  readonly cohort: Cohort;
  readonly log: ChangeLog;
  /** Of all that are peers of a member, a member itself among them if members are peers. Undefined until asked for. */
  digest: number | undefined;
}

/**
 * What changed about peers, written down once for each cohort that has to hear it, and not for each of its members. Only
 * cohorts of which somebody has asked have news: to all others everything will be new.
 */
export class PeerNews {
  readonly #reach: Reach;
  readonly #cards: PeerCards;
  readonly #wake: (node: NodeId) => void;
  readonly #news = new WeakMap<Cohort, News>();
  /** Whose members have to hear something, and of whom; null when of more than one. */
  #told = new Map<Cohort, NodeId | null>();

  constructor(parts: {
    readonly reach: Reach;
    readonly cards: PeerCards;
    readonly wake: (node: NodeId) => void;
  }) {
    this.#reach = parts.reach;
    this.#cards = parts.cards;
    this.#wake = parts.wake;
  }

  /** Undefined: the node is not let in, and has no peers. */
  of(node: NodeId, revision: number): News | undefined {
    const cohort = this.#reach.cohortOf(node);
    return cohort === undefined ? undefined : this.from(cohort, revision);
  }

  from(cohort: Cohort, revision: number): News {
    let news = this.#news.get(cohort);
    if (news === undefined) {
      news = { cohort, log: new ChangeLog(revision), digest: undefined };
      this.#news.set(cohort, news);
    }
    return news;
  }

  /** Writes down that a node moved. Returns the cohorts that it gained and lost as peers. */
  moved(node: NodeId, { from, to }: Move, revision: number): Cohort[] {
    const before = new Set(from === undefined ? [] : this.#reach.peersOf(from));
    const after = new Set(to === undefined ? [] : this.#reach.peersOf(to));
    const digest = this.#cards.get(node)?.digest ?? EMPTY_DIGEST; // a card that is written later is added then
    const lost = [...before].filter((cohort) => !after.has(cohort));
    const gained = [...after].filter((cohort) => !before.has(cohort));
    for (const cohort of lost) this.#tell(cohort, node, revision, (sum) => withoutItem(sum, digest));
    for (const cohort of gained) this.#tell(cohort, node, revision, (sum) => withItem(sum, digest));
    return [...lost, ...gained];
  }

  /** Writes down that what others are told of a node changed. */
  cardChanged(node: NodeId, change: NonNullable<ReturnType<PeerCards['rewrite']>>, revision: number): void {
    const cohort = this.#reach.cohortOf(node);
    if (cohort === undefined) return;
    const { before, after } = change;
    const replaced = (sum: number) =>
      withItem(withoutItem(sum, before?.digest ?? EMPTY_DIGEST), after?.digest ?? EMPTY_DIGEST);
    for (const peer of this.#reach.peersOf(cohort)) this.#tell(peer, node, revision, replaced);
  }

  /** Wakes everybody who has to hear something. Not the one it is about. */
  settle(): void {
    if (this.#told.size === 0) return;
    for (const [{ members }, about] of this.#told) {
      for (const member of members) if (member !== about) this.#wake(member);
    }
    this.#told = new Map();
  }

  /** Of everything that a member is told about its peers. */
  digestFor(node: NodeId, news: News): number {
    news.digest ??= this.#sum(news.cohort);
    if (!this.#reach.arePeers(news.cohort, news.cohort)) return news.digest;
    return withoutItem(news.digest, this.#cards.get(node)?.digest ?? EMPTY_DIGEST);
  }

  #tell(cohort: Cohort, about: NodeId, revision: number, digest: (sum: number) => number): void {
    const news = this.#news.get(cohort);
    if (news === undefined) return;
    news.log.add(about, revision);
    if (news.digest !== undefined) news.digest = digest(news.digest);
    const told = this.#told.get(cohort);
    this.#told.set(cohort, told === undefined || told === about ? about : null);
  }

  #sum(cohort: Cohort): number {
    let sum = EMPTY_DIGEST;
    for (const { members } of this.#reach.peersOf(cohort)) {
      for (const peer of members) sum = withItem(sum, this.#cards.get(peer)?.digest ?? EMPTY_DIGEST);
    }
    return sum;
  }
}
