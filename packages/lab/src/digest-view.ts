import { DigestSum, PEER, PEER_TERMS, ReceivedView, type RecordKind } from '@meshwork/agent';
import type { Peer, PeerTerms } from '@meshwork/contract';

/**
 * Views for the nodes of one fleet. They keep the digests of records, which are enough to report truthfully what is held, and
 * take a tenth of the memory of the records. All nodes that hold a record of the same peer share its id.
 */
export function digestViews(): () => DigestView {
  const names = new NameTable();
  const peer = sharing(names, PEER);
  const terms = sharing(names, PEER_TERMS);
  return () => new DigestView(peer, terms);
}

class DigestView extends ReceivedView {
  readonly peers: DigestRecords<Peer>;
  readonly acl: DigestRecords<PeerTerms>;

  constructor(peer: RecordKind<Peer>, terms: RecordKind<PeerTerms>) {
    super();
    this.peers = new DigestRecords(peer);
    this.acl = new DigestRecords(terms);
  }
}

class DigestRecords<R> extends DigestSum {
  readonly #kind: RecordKind<R>;

  constructor(kind: RecordKind<R>) {
    super();
    this.#kind = kind;
  }

  put(record: R): void {
    this.set(this.#kind.idOf(record), this.#kind.digestOf(record));
  }

  remove(id: string): void {
    this.delete(id);
  }
}

function sharing<R>(names: NameTable, { idOf, digestOf }: RecordKind<R>): RecordKind<R> {
  return { idOf: (record) => names.shared(idOf(record)), digestOf };
}

/** One copy of each text for a whole fleet. It only grows, by one entry for each node that ever was a peer. */
class NameTable {
  readonly #texts = new Map<string, string>();

  shared(text: string): string {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
