/**
 * What each node is sent, derived from the model and updated with each change. `reach.ts` says which nodes are peers,
 * `peer-cards.ts` what they are sent about each other; the other sections come from the areas (`section-source.ts`).
 * `peer-news.ts` remembers what changed about the peers of a cohort, `node-view.ts` what changed for one node since it
 * last asked; `whole-sections.ts` and `peer-texts.ts` write the answers.
 */
import {
  type AppliedSection,
  isPeerSection,
  type NodeId,
  PEER_SECTIONS,
  type PeerSection,
  WHOLE_SECTIONS,
  type WholeSection,
} from '@meshwork/contract';
import { digestText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import type { Kind } from '../kinds/kinds.ts';
import { isSent } from '../mesh/abilities.ts';
import type { Changed, Model, ModelWatch, Stored } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import type { Desired } from './difference.ts';
import { NodeView } from './node-view.ts';
import { PeerCards } from './peer-cards.ts';
import { PeerNews } from './peer-news.ts';
import { PeerTexts } from './peer-texts.ts';
import { peersOfNode, type Reach, type Shift } from './reach.ts';
import type { RoutesOf } from './routes-of.ts';
import type { SectionSources } from './section-source.ts';
import { Touched } from './touched.ts';
import { WholeSections } from './whole-sections.ts';

const NO_SHIFT: Omit<Shift, 'members'> = { peers: [], acl: [] };

export class NodeViews implements ModelWatch {
  readonly #model: Model;
  readonly #reach: Reach;
  readonly #wake: (node: NodeId) => void;
  readonly #logLines: number | undefined;
  readonly #routes: RoutesOf;
  readonly #sections: SectionSources;
  readonly #cards: PeerCards;
  #news: PeerNews;
  readonly #views = new Map<NodeId, NodeView>();
  readonly #whole: WholeSections;
  readonly #texts: PeerTexts;
  /** By a node that left: who has to let go of it. Not known any more after a restart. */
  readonly #lettingGo = new Map<NodeId, ReadonlySet<NodeId>>();
  /** What changed in the commit that is being taken in. */
  #touched = new Touched();

  constructor(parts: {
    readonly model: Model;
    readonly reach: Reach;
    readonly routes: RoutesOf;
    readonly sections: SectionSources;
    readonly wake: (node: NodeId) => void;
    /** Absent: as many as a change log usually keeps. */
    readonly log_lines?: number;
  }) {
    this.#logLines = parts.log_lines;
    this.#model = parts.model;
    this.#reach = parts.reach;
    this.#wake = parts.wake;
    this.#cards = new PeerCards(parts.model);
    this.#routes = parts.routes;
    this.#sections = parts.sections;
    this.#whole = new WholeSections(parts.model, parts.sections);
    this.#texts = new PeerTexts(parts.reach, this.#cards);
    this.#news = this.#noNews();
    this.reset();
    parts.model.watch(this);
  }

  get reach(): Reach {
    return this.#reach;
  }

  /** Who knew a node that was cut off or removed, when it was. Undefined: not known any more. */
  lettingGoOf(node: NodeId): ReadonlySet<NodeId> | undefined {
    return this.#lettingGo.get(node);
  }

  /** What is known of what a node was sent; from now on, if it has not asked before. */
  of(id: NodeId): NodeView {
    let view = this.#views.get(id);
    if (view === undefined) {
      const node = this.#model.get('node', id);
      if (node === undefined) throw new Error(`${id} is not in the mesh and has no view.`);
      const { revision } = this.#model;
      const digests = this.#whole.digests(node);
      view = new NodeView(id, { revision, news: this.#news.of(id, revision), digests, log_lines: this.#logLines });
      this.#views.set(id, view);
    }
    return view;
  }

  /**
   * What the answer to a heartbeat says, as JSON without its braces; empty when there is nothing new. A caller that
   * sends it to a node that was distrusted clears that.
   */
  changesSince(node: Stored<'node'>, held: number): string {
    const view = this.of(node.id as NodeId);
    if (!this.hasChangedSince(view, held)) return '';
    const sent = WHOLE_SECTIONS.filter((section) => isSent(this.#model, view.id, section));
    if (this.isFurtherBack(view, held)) {
      return [...sent.map((section) => this.#whole.json(node, section)), this.#texts.full(view.id)].join(',');
    }
    const parts: string[] = [];
    for (const section of sent) {
      if (view.changedAt(section) > held) parts.push(this.#whole.json(node, section));
    }
    for (const section of PEER_SECTIONS) {
      if (view.changedAt(section) > held) parts.push(this.#texts.since(view, section, held));
    }
    return parts.join(',');
  }

  /** Whether there would be anything to say. */
  hasChangedSince(view: NodeView, held: number): boolean {
    return view.newest > held || this.isFurtherBack(view, held);
  }

  /**
   * Whether the difference to what an agent holds is unknown, so that everything has to be sent. A revision that is
   * newer than ours is another coordinator's.
   */
  isFurtherBack(view: NodeView, held: number): boolean {
    return held === 0 || view.distrusted || held > this.#model.revision || !view.knowsSince(held);
  }

  /** The node has taken in everything up to this revision. */
  holds(view: NodeView, held: number): void {
    if (held <= this.#model.revision) view.holds(held);
  }

  /** What of a section should be in effect on the node. */
  desired(node: NodeId, section: AppliedSection): Desired {
    const view = this.of(node);
    const digest = isPeerSection(section) ? this.#sharedDigest(view, section) : view.digests[section];
    return { revision: view.changedAt(section), digest: digestText(digest), changed: view.hasChanged(section) };
  }

  reset(): void {
    this.#reach.reset({ view: this.#model, routes: this.#routes });
    this.#cards.clear();
    this.#news = this.#noNews();
    this.#views.clear();
    this.#lettingGo.clear();
    for (const section of WHOLE_SECTIONS) this.#sections[section].reset?.();
    for (const node of this.#model.all('node')) this.#cards.rewrite(node.id as NodeId);
  }

  changed<K extends Kind>(change: Changed<K>): void {
    this.#touched.note(change, this.#model);
    for (const section of WHOLE_SECTIONS) {
      const touch = this.#sections[section].touchedBy[change.kind];
      touch?.(change, this.#touched.touchOf(section));
    }
    if (change.kind === 'node') this.#nodeChanged(change as Changed as Changed<'node'>);
    if (change.kind === 'section_time') this.#timeChanged(change as Changed as Changed<'section_time'>);
  }

  settled(): void {
    const { revision } = this.#model;
    const { reach, cards, sections, everywhere, answers, policy, isEmpty } = this.#touched;
    if (policy) this.#takeUpPolicy(revision);
    for (const node of reach) this.#lookAgain(node, revision);
    for (const node of cards) {
      const change = this.#cards.rewrite(node);
      if (change !== undefined) this.#news.cardChanged(node, change, revision);
    }
    for (const [section, nodes] of sections) {
      if (!everywhere.has(section)) for (const node of nodes) this.#sectionTouched(node, section, revision);
    }
    for (const section of everywhere) {
      for (const [node, view] of this.#views) this.#sectionTouched(node, section, revision, view);
    }
    for (const [section, nodes] of answers) for (const node of nodes) this.#tellSection(node, section, revision);
    this.#news.settle();
    if (!isEmpty) this.#touched = new Touched();
  }

  #nodeChanged({ id, before, after }: Changed<'node'>): void {
    const node = id as NodeId;
    if (after === undefined) this.#views.delete(node);
    const isOut = after !== undefined && !isMember(after.body);
    if (isOut && before !== undefined && isMember(before.body)) {
      this.#lettingGo.set(node, new Set(peersOfNode(this.#reach, node)));
    } else if (!isOut) this.#lettingGo.delete(node);
  }

  #timeChanged({ id, before, after }: Changed<'section_time'>): void {
    for (const section of WHOLE_SECTIONS) {
      if (before?.body.sections[section] === after?.body.sections[section]) continue;
      this.#touched.touchOf(section).node(id);
    }
  }

  /** Whether a node has other peers now. */
  #lookAgain(node: NodeId, revision: number): void {
    const move = this.#reach.update(node);
    if (move === undefined) return;
    const cohorts = this.#news.moved(node, move, revision);
    const view = this.#views.get(node);
    if (view === undefined) return; // never asked: it will be sent everything
    const membersOf = (section: PeerSection) => cohorts[section].flatMap(({ members }) => [...members]);
    const about = { peers: membersOf('peers'), acl: membersOf('acl') };
    view.move(this.#news.of(node, revision), about, revision);
    // It has not received either what its old cohort has to be sent in this commit.
    const hasMore = move.from !== undefined && this.#news.hasNews(move.from);
    if (hasMore || about.peers.length + about.acl.length > 0) this.#wake(node);
  }

  /** Everybody is of another cohort then, and only some have anything to hear. */
  #takeUpPolicy(revision: number): void {
    const shifts = new Map<NodeId, Shift>();
    for (const shift of this.#reach.replacePolicy()) for (const node of shift.members) shifts.set(node, shift);
    for (const [node, view] of this.#views) {
      const shift = shifts.get(node);
      view.move(this.#news.of(node, revision), shift ?? NO_SHIFT, revision);
      if (shift !== undefined && shift.peers.length + shift.acl.length > 0) this.#wake(node);
    }
  }

  #tellSection(node: NodeId, section: WholeSection, revision: number, view = this.#views.get(node)): void {
    view?.section(section, revision);
    this.#wake(node);
  }

  #sectionTouched(id: NodeId, section: WholeSection, revision: number, view = this.#views.get(id)): void {
    const node = this.#model.get('node', id);
    if (view === undefined || node === undefined) return;
    const digest = this.#whole.digest(node, section);
    if (digest === view.digests[section]) return;
    view.digests[section] = digest;
    this.#tellSection(id, section, revision, view);
  }

  #sharedDigest({ id, news }: NodeView, section: PeerSection): number {
    return news === undefined ? EMPTY_DIGEST : this.#news.digestFor(id, news, section);
  }

  #noNews(): PeerNews {
    return new PeerNews({
      reach: this.#reach,
      cards: this.#cards,
      wake: this.#wake,
      log_lines: this.#logLines,
    });
  }
}
