import type { NodeId, PeerSection } from '@meshwork/contract';
import { digestOfText, EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';
import type { Terms } from '@meshwork/policy';
import { ChangeLog } from './change-log.ts';
import type { CardChange, PeerCards } from './peer-cards.ts';
import type { Cohort, Move, Reach } from './reach.ts';
import { isNothing, termsDigest } from './terms-text.ts';

interface SectionNews {
  readonly log: ChangeLog;
  /** Of all that are peers of a member, a member itself among them if members are peers. Undefined until requested. */
  digest: number | undefined;
}

/** What is new for all members of a cohort alike: about their peers, and about what is allowed with them. */
export interface News extends Readonly<Record<PeerSection, SectionNews>> {
  readonly cohort: Cohort;
}

type CohortsBySection = Readonly<Record<PeerSection, readonly Cohort[]>>;

/**
 * What changed about peers, logged once for each cohort rather than for each of its members. Only cohorts with a member
 * that has asked have a log: all others are sent everything.
 */
export class PeerNews {
  readonly #reach: Reach;
  readonly #cards: PeerCards;
  readonly #wake: (node: NodeId) => void;
  readonly #logLines: number | undefined;
  readonly #news = new WeakMap<Cohort, News>();
  /** Cohorts whose members have news in this commit, and about which node; null when about more than one. */
  #toWake = new Map<Cohort, NodeId | null>();

  constructor(parts: {
    readonly reach: Reach;
    readonly cards: PeerCards;
    readonly wake: (node: NodeId) => void;
    readonly log_lines: number | undefined;
  }) {
    this.#reach = parts.reach;
    this.#cards = parts.cards;
    this.#wake = parts.wake;
    this.#logLines = parts.log_lines;
  }

  /** Undefined: the node is not a member, and has no peers. */
  of(node: NodeId, revision: number): News | undefined {
    const cohort = this.#reach.cohortOf(node);
    if (cohort === undefined) return undefined;
    let news = this.#news.get(cohort);
    if (news === undefined) {
      const nothing = () => ({ log: new ChangeLog(revision, this.#logLines), digest: undefined });
      news = { cohort, peers: nothing(), acl: nothing() };
      this.#news.set(cohort, news);
    }
    return news;
  }

  /** Writes down that a node moved. Returns the cohorts with which it is not what it was. */
  moved(node: NodeId, { from, to }: Move, revision: number): CohortsBySection {
    const before = new Set(from === undefined ? [] : this.#reach.peersOf(from));
    const after = new Set(to === undefined ? [] : this.#reach.peersOf(to));
    const card = this.#cards.get(node)?.digest ?? EMPTY_DIGEST; // a card that is written later is added then
    const id = this.#idDigest(node);
    const peers: Cohort[] = [];
    const acl: Cohort[] = [];
    for (const cohort of new Set([...before, ...after])) {
      const [was, is] = [before.has(cohort) ? from : undefined, after.has(cohort) ? to : undefined];
      if ((was === undefined) !== (is === undefined)) {
        peers.push(cohort);
        this.#tell(cohort, 'peers', node, revision, (sum) =>
          is === undefined ? withoutItem(sum, card) : withItem(sum, card),
        );
      }
      const [old, now] = [this.#terms(cohort, was), this.#terms(cohort, is)];
      if (old !== now) {
        const replaced = (sum: number) => withItem(withoutItem(sum, termsDigest(id, old)), termsDigest(id, now));
        this.#tell(cohort, 'acl', node, revision, replaced);
      }
      if (this.#terms(was, cohort) !== this.#terms(is, cohort)) acl.push(cohort);
    }
    return { peers, acl };
  }

  /** Logs that the card of a node changed. */
  cardChanged(node: NodeId, { before, after }: CardChange, revision: number): void {
    const cohort = this.#reach.cohortOf(node);
    if (cohort === undefined) return;
    const replaced = (sum: number) =>
      withItem(withoutItem(sum, before?.digest ?? EMPTY_DIGEST), after?.digest ?? EMPTY_DIGEST);
    for (const peer of this.#reach.peersOf(cohort)) this.#tell(peer, 'peers', node, revision, replaced);
  }

  /** Whether the members of a cohort have news in this commit. */
  hasNews(cohort: Cohort): boolean {
    return this.#toWake.has(cohort);
  }

  /** Wakes all that have news, but not the node that it is about. */
  settle(): void {
    if (this.#toWake.size === 0) return;
    for (const [{ members }, about] of this.#toWake) {
      for (const member of members) if (member !== about) this.#wake(member);
    }
    this.#toWake = new Map();
  }

  /** Of everything that a member is sent about its peers in a section. */
  digestFor(node: NodeId, news: News, section: PeerSection): number {
    const { cohort } = news;
    const kept = news[section];
    kept.digest ??= section === 'peers' ? this.#sumOfCards(cohort) : this.#sumOfTerms(cohort);
    if (!this.#reach.arePeers(cohort, cohort)) return kept.digest;
    const own =
      section === 'peers'
        ? (this.#cards.get(node)?.digest ?? EMPTY_DIGEST)
        : termsDigest(this.#idDigest(node), this.#reach.terms(cohort, cohort));
    return withoutItem(kept.digest, own);
  }

  /** Undefined: nothing is allowed, or they are no peers. Neither has to be sent. */
  #terms(cohort: Cohort | undefined, peer: Cohort | undefined): Terms | undefined {
    if (cohort === undefined || peer === undefined) return undefined;
    const terms = this.#reach.terms(cohort, peer);
    return isNothing(terms) ? undefined : terms;
  }

  #tell(cohort: Cohort, section: PeerSection, about: NodeId, revision: number, digest: (sum: number) => number): void {
    const news = this.#news.get(cohort)?.[section];
    if (news === undefined) return;
    const hasForgotten = news.log.add(about, revision);
    if (news.digest !== undefined) news.digest = digest(news.digest);
    const known = this.#toWake.get(cohort);
    // What was forgotten may be all that the node itself had to hear of.
    const isAboutOne = !hasForgotten && (known === undefined || known === about);
    this.#toWake.set(cohort, isAboutOne ? about : null);
  }

  #sumOfCards(cohort: Cohort): number {
    let sum = EMPTY_DIGEST;
    for (const { members } of this.#reach.peersOf(cohort)) {
      for (const peer of members) sum = withItem(sum, this.#cards.get(peer)?.digest ?? EMPTY_DIGEST);
    }
    return sum;
  }

  #sumOfTerms(cohort: Cohort): number {
    let sum = EMPTY_DIGEST;
    for (const peer of this.#reach.peersOf(cohort)) {
      const terms = this.#reach.terms(cohort, peer);
      for (const member of peer.members) sum = withItem(sum, termsDigest(this.#idDigest(member), terms));
    }
    return sum;
  }

  #idDigest(node: NodeId): number {
    return this.#cards.get(node)?.id_digest ?? digestOfText(node);
  }
}
