import {
  isPeerSection,
  type NodeId,
  PEER_SECTIONS,
  type PeerSection,
  WHOLE_SECTIONS,
  type WholeSection,
} from '@meshwork/contract';
import type { News } from './peer-news.ts';
import { PeerTrack } from './peer-track.ts';

type Changed = Record<WholeSection, number>;

/** What changed for one node, and at which revision, since it last said what it holds. */
export class NodeView {
  readonly id: NodeId;
  /** Of the sections as they were last written, to tell whether they changed. */
  readonly digests: Record<WholeSection, number>;
  /** What it has in effect differs from what it was sent: everything is sent once more. */
  distrusted = false;
  readonly #changed: Changed;
  /** The revision at which the view was made: of changes before it, nothing is known. */
  readonly #madeAt: number;
  #newestSection: number;
  readonly #tracks: Readonly<Record<PeerSection, PeerTrack>>;
  /** Of its cohort. Undefined: it has none, and no peers. */
  #news: News | undefined;

  constructor(
    id: NodeId,
    given: {
      readonly revision: number;
      readonly news: News | undefined;
      readonly digests: Record<WholeSection, number>;
      readonly log_lines: number | undefined;
    },
  ) {
    const { revision, news, digests, log_lines } = given;
    this.id = id;
    this.digests = digests;
    this.#changed = Object.fromEntries(WHOLE_SECTIONS.map((section) => [section, revision])) as Changed;
    this.#newestSection = revision;
    this.#madeAt = revision;
    this.#news = news;
    this.#tracks = {
      peers: new PeerTrack(id, { shared: news?.peers.log, revision, log_lines }),
      acl: new PeerTrack(id, { shared: news?.acl.log, revision, log_lines }),
    };
  }

  get news(): News | undefined {
    return this.#news;
  }

  /** The revision that last changed a section for this node. */
  changedAt(section: WholeSection | PeerSection): number {
    return isPeerSection(section) ? this.#tracks[section].changedAt : this.#changed[section];
  }

  /** Whether a section was changed for this node since the view was made. */
  hasChanged(section: WholeSection | PeerSection): boolean {
    return this.changedAt(section) > this.#madeAt;
  }

  /** The newest of them all. */
  get newest(): number {
    return Math.max(this.#newestSection, this.#tracks.peers.changedAt, this.#tracks.acl.changedAt);
  }

  section(section: WholeSection, revision: number): void {
    this.#changed[section] = revision;
    this.#newestSection = revision;
  }

  /** It is of another cohort now. `about`: the peers with whom it is not what it was, by section. */
  move(news: News | undefined, about: Readonly<Record<PeerSection, readonly NodeId[]>>, revision: number): void {
    for (const section of PEER_SECTIONS) this.#tracks[section].move(news?.[section].log, about[section], revision);
    this.#news = news;
  }

  /** Whether the difference to what an agent holds is known; else everything is sent. */
  knowsSince(held: number): boolean {
    return this.#tracks.peers.knowsSince(held) && this.#tracks.acl.knowsSince(held);
  }

  /** Whom there is something new about. */
  peersSince(section: PeerSection, held: number): ReadonlySet<NodeId> {
    return this.#tracks[section].since(held);
  }

  /** The agent has everything up to this revision. */
  holds(held: number): void {
    this.#tracks.peers.holds(held);
    this.#tracks.acl.holds(held);
  }
}
