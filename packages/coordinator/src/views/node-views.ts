/**
 * What each node is told, derived from the model and kept up with it one change at a time. `reach.ts` says who has to
 * know whom, `peer-cards.ts` what they are told of each other, `own-sections.ts` the rest, and a `mailbox.ts` for each
 * node remembers what changed since it last asked.
 */
import type { AppliedSection, IngressId, NodeId, OperationRunId } from '@meshwork/contract';
import { isOpen, type RelaySection } from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem, withoutItem } from '@meshwork/contract/digest';
import type { Kind } from '../mesh/kinds.ts';
import type { Changed, Model, ModelWatch, Stored } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import { KeptSets } from './kept-sets.ts';
import { Mailbox, WHOLE_SECTIONS, type WholeSection } from './mailbox.ts';
import { commandsSection, ingressSection, relaySection, selfSection } from './own-sections.ts';
import { PeerCards } from './peer-cards.ts';
import type { Reach } from './reach.ts';
import { RoutesOf } from './routes-of.ts';

/** The part of a node's view that is kept beside its mailbox. */
interface Kept {
  readonly mailbox: Mailbox;
  /** Of the sections as they were last written, to tell whether they changed. */
  readonly digests: Record<WholeSection, number>;
  /** Of all its peers together. Undefined until somebody asks. */
  peers_digest: number | undefined;
  /** What it has in effect is not what it was told: it is told everything once more. */
  distrusted: boolean;
}

export class NodeViews implements ModelWatch {
  readonly #model: Model;
  readonly #reach: Reach;
  readonly #wake: (node: NodeId) => void;
  readonly #routes = new RoutesOf();
  readonly #cards: PeerCards;
  readonly #kept = new Map<NodeId, Kept>();
  readonly #ingresses = new KeptSets<NodeId, IngressId>();
  readonly #operations = new KeptSets<NodeId, OperationRunId>();
  /** By a node that left: who has to let go of it. Not known any more after a restart. */
  readonly #lettingGo = new Map<NodeId, ReadonlySet<NodeId>>();
  /** Changed in the commit that is being taken in: nodes whose card may differ, and whose own sections may. */
  #cardsTouched = new Set<NodeId>();
  #ownTouched = new Set<NodeId>();

  constructor(parts: { readonly model: Model; readonly reach: Reach; readonly wake: (node: NodeId) => void }) {
    this.#model = parts.model;
    this.#reach = parts.reach;
    this.#wake = parts.wake;
    this.#cards = new PeerCards(parts.model, this.#routes);
    this.reset();
    parts.model.watch(this);
  }

  get reach(): Reach {
    return this.#reach;
  }

  routesProvidedBy(node: string): readonly string[] {
    return this.#routes.of(node);
  }

  /** Every node that forwards to something, with what. There are few of them in any mesh. */
  routeProviders(): Iterable<readonly [node: string, cidrs: readonly string[]]> {
    return this.#routes.all();
  }

  /** Operations on the node that are under way. */
  openOperations(node: NodeId): ReadonlySet<OperationRunId> {
    return this.#operations.of(node);
  }

  /** Who knew a node that was cut off or removed, when it was. Undefined: not known any more. */
  lettingGoOf(node: NodeId): ReadonlySet<NodeId> | undefined {
    return this.#lettingGo.get(node);
  }

  ingressesServedBy(node: NodeId): ReadonlySet<IngressId> {
    return this.#ingresses.of(node);
  }

  /** What the answer to a heartbeat says, as JSON without its braces; empty when there is nothing new. */
  changesSince(node: Stored<'node'>, held: number): string {
    const id = node.id as NodeId;
    const kept = this.#of(id);
    const { mailbox } = kept;
    if (this.#isFurtherBack(kept, held)) {
      kept.distrusted = false;
      return this.#everything(node);
    }
    const parts: string[] = [];
    for (const section of WHOLE_SECTIONS) {
      if (mailbox.changedAt(section) > held) parts.push(`"${section}":${this.#json(node, section)}`);
    }
    if (mailbox.changedAt('peers') > held) {
      const peers = this.#peersSince(id, mailbox, held);
      if (peers !== '') parts.push(`"peers":${peers}`);
    }
    return parts.join(',');
  }

  /** Whether there would be anything to say. */
  hasChangedSince(node: NodeId, held: number): boolean {
    const kept = this.#of(node);
    return this.#isFurtherBack(kept, held) || kept.mailbox.newest > held;
  }

  /** Whether the difference to what an agent holds is not known, so that it has to be told everything. */
  isFurtherBack(node: NodeId, held: number): boolean {
    return this.#isFurtherBack(this.#of(node), held);
  }

  /** The node has taken in everything up to this revision. */
  holds(node: NodeId, held: number): void {
    if (held <= this.#model.revision) this.#of(node).mailbox.holds(held);
  }

  /** What of a section should be in effect on the node. */
  desired(node: NodeId, section: AppliedSection): { readonly revision: number; readonly digest: string } {
    const kept = this.#of(node);
    const digest = section === 'peers' ? this.#peersDigest(node, kept) : kept.digests[section];
    return { revision: kept.mailbox.changedAt(section), digest: digestText(digest) };
  }

  /** The newest revision that changed anything for the node. */
  newestChange(node: NodeId): number {
    return this.#of(node).mailbox.newest;
  }

  /** The node is told everything once more. */
  distrust(node: NodeId): void {
    this.#of(node).distrusted = true;
  }

  reset(): void {
    this.#routes.reset(this.#model);
    this.#reach.reset(this.#model);
    this.#cards.clear();
    this.#kept.clear();
    this.#ingresses.clear();
    this.#operations.clear();
    this.#lettingGo.clear();
    for (const placement of this.#model.all('placement')) this.#index('placement', placement.id, placement, 'add');
    for (const operation of this.#model.all('operation')) this.#index('operation', operation.id, operation, 'add');
    for (const node of this.#model.all('node')) this.#cards.rewrite(node.id as NodeId);
  }

  changed<K extends Kind>(change: Changed<K>): void {
    switch (change.kind) {
      case 'node':
        this.#nodeChanged(change as Changed as Changed<'node'>);
        break;
      case 'report':
      case 'assignment':
        this.#cardsTouched.add(change.id as NodeId);
        this.#ownTouched.add(change.id as NodeId);
        break;
      case 'route':
        for (const node of this.#routes.update(change as Changed as Changed<'route'>)) {
          this.#cardsTouched.add(node);
          this.#ownTouched.add(node);
        }
        break;
      case 'relay':
        // Rare, and whoever uses it has to hear.
        for (const { id, body } of this.#model.all('assignment')) {
          if (body.relay === change.id) this.#ownTouched.add(id as NodeId);
        }
        break;
      case 'ingress':
        for (const { node } of this.#model.get('placement', change.id)?.body.gateways ?? []) this.#ownTouched.add(node);
        break;
      case 'placement':
      case 'operation':
        this.#reindex(change as Changed as Changed<'placement' | 'operation'>);
        break;
    }
  }

  settled(): void {
    const { revision } = this.#model;
    for (const node of this.#cardsTouched) this.#cardTouched(node, revision);
    for (const node of this.#ownTouched) this.#sectionsTouched(node, revision);
    if (this.#cardsTouched.size > 0) this.#cardsTouched = new Set();
    if (this.#ownTouched.size > 0) this.#ownTouched = new Set();
  }

  #nodeChanged({ id, before, after, revision }: Changed<'node'>): void {
    const node = id as NodeId;
    if (after === undefined) this.#kept.delete(node);
    const lettingGo = new Set<NodeId>();
    for (const { node: who, peer, gained } of this.#reach.update(before, after)) {
      if (!gained && peer === node) lettingGo.add(who);
      this.#tellPeer(who, peer, revision);
      const kept = this.#kept.get(who);
      if (kept?.peers_digest === undefined) continue;
      // A card that is written later in this commit is added then: here counts what the sum holds so far.
      const digest = this.#cards.get(peer)?.digest ?? EMPTY_DIGEST;
      kept.peers_digest = gained ? withItem(kept.peers_digest, digest) : withoutItem(kept.peers_digest, digest);
    }
    const isOut = after !== undefined && !isMember(after.body);
    if (isOut && before !== undefined && isMember(before.body)) this.#lettingGo.set(node, lettingGo);
    else if (!isOut) this.#lettingGo.delete(node);
    this.#cardsTouched.add(node);
    this.#ownTouched.add(node);
  }

  #reindex({ kind, id, before, after }: Changed<'placement' | 'operation'>): void {
    if (before !== undefined) this.#index(kind, id, before, 'delete');
    if (after !== undefined) this.#index(kind, id, after, 'add');
  }

  #index(kind: 'placement' | 'operation', id: string, stored: Stored<Kind>, how: 'add' | 'delete'): void {
    if (kind === 'placement') {
      for (const { node } of (stored as Stored<'placement'>).body.gateways) {
        this.#ingresses[how](node, id as IngressId);
        this.#ownTouched.add(node);
      }
      return;
    }
    const { node, state } = (stored as Stored<'operation'>).body;
    this.#ownTouched.add(node);
    if (!isOpen(state)) return;
    this.#operations[how](node, id as OperationRunId);
    // Even when there is nothing for the agent to do, it has to be heard from for the operation to be proven.
    if (how === 'add') this.#tellSection(node, 'commands', stored.revision);
  }

  #cardTouched(node: NodeId, revision: number): void {
    const change = this.#cards.rewrite(node);
    if (change === undefined) return;
    for (const peer of this.#reach.peersOf(node)) {
      this.#tellPeer(peer, node, revision);
      const kept = this.#kept.get(peer);
      if (kept?.peers_digest === undefined) continue;
      const without = withoutItem(kept.peers_digest, change.before?.digest ?? EMPTY_DIGEST);
      kept.peers_digest = withItem(without, change.after?.digest ?? EMPTY_DIGEST);
    }
  }

  #tellPeer(who: NodeId, peer: NodeId, revision: number): void {
    const kept = this.#kept.get(who);
    if (kept === undefined) return; // never asked: it will be told everything
    kept.mailbox.peer(peer, revision);
    this.#wake(who);
  }

  #tellSection(node: NodeId, section: WholeSection, revision: number): void {
    this.#kept.get(node)?.mailbox.section(section, revision);
    this.#wake(node);
  }

  #sectionsTouched(id: NodeId, revision: number): void {
    const kept = this.#kept.get(id);
    const node = this.#model.get('node', id);
    if (kept === undefined || node === undefined) return;
    for (const section of WHOLE_SECTIONS) {
      const digest = digestOfSection(section, this.#section(node, section));
      if (digest === kept.digests[section]) continue;
      kept.digests[section] = digest;
      this.#tellSection(id, section, revision);
    }
  }

  #of(id: NodeId): Kept {
    let kept = this.#kept.get(id);
    if (kept === undefined) {
      const node = this.#model.get('node', id);
      if (node === undefined) throw new Error(`${id} is not in the mesh and is told nothing.`);
      const digest = (section: WholeSection) => digestOfSection(section, this.#section(node, section));
      kept = {
        mailbox: new Mailbox(this.#model.revision),
        digests: {
          self: digest('self'),
          relay: digest('relay'),
          ingress: digest('ingress'),
          commands: digest('commands'),
        },
        peers_digest: undefined,
        distrusted: false,
      };
      this.#kept.set(id, kept);
    }
    return kept;
  }

  /** Whether what an agent holds is none of what we know the difference to. A newer one is another coordinator's. */
  #isFurtherBack({ mailbox, distrusted }: Kept, held: number): boolean {
    return held === 0 || distrusted || held > this.#model.revision || !mailbox.knowsSince(held);
  }

  #everything(node: Stored<'node'>): string {
    const whole = WHOLE_SECTIONS.map((section) => `"${section}":${this.#json(node, section)}`);
    const cards: string[] = [];
    for (const peer of this.#reach.peersOf(node.id as NodeId)) {
      const card = this.#cards.get(peer);
      if (card !== undefined) cards.push(card.json);
    }
    return `${whole.join(',')},"peers":{"full":[${cards.join(',')}]}`;
  }

  #peersSince(id: NodeId, mailbox: Mailbox, held: number): string {
    const upsert: string[] = [];
    const remove: string[] = [];
    for (const peer of mailbox.peersSince(held)) {
      const card = this.#reach.arePeers(id, peer) ? this.#cards.get(peer) : undefined;
      if (card === undefined) remove.push(`"${peer}"`);
      else upsert.push(card.json);
    }
    const parts: string[] = [];
    if (upsert.length > 0) parts.push(`"upsert":[${upsert.join(',')}]`);
    if (remove.length > 0) parts.push(`"remove":[${remove.join(',')}]`);
    return parts.length === 0 ? '' : `{${parts.join(',')}}`;
  }

  #peersDigest(node: NodeId, kept: Kept): number {
    if (kept.peers_digest === undefined) {
      let sum = EMPTY_DIGEST;
      for (const peer of this.#reach.peersOf(node)) sum = withItem(sum, this.#cards.get(peer)?.digest ?? EMPTY_DIGEST);
      kept.peers_digest = sum;
    }
    return kept.peers_digest;
  }

  #json(node: Stored<'node'>, section: WholeSection): string {
    return JSON.stringify(this.#section(node, section));
  }

  #section(node: Stored<'node'>, section: WholeSection): object | readonly object[] | RelaySection | null {
    const id = node.id as NodeId;
    switch (section) {
      case 'self':
        return selfSection(this.#model, node, this.#routes);
      case 'relay':
        return relaySection(this.#model, node);
      case 'ingress':
        return ingressSection(this.#model, id, this.#ingresses.of(id));
      case 'commands':
        return commandsSection(this.#model, this.#operations.of(id));
    }
  }
}

/** A list is the sum of its items, whatever their order. */
function digestOfSection(section: WholeSection, content: object | readonly object[] | null): number {
  if (section !== 'ingress') return digestOf(content);
  return (content as readonly object[]).reduce<number>((sum, item) => withItem(sum, digestOf(item)), EMPTY_DIGEST);
}
