import { type Held, PEER, PEER_TERMS, RecordDigests, type RecordKind } from '@meshwork/agent';

/**
 * For the nodes of one fleet: what each holds without the records, at a tenth of the memory. Ids are shared by all who
 * hold a record of the same peer.
 */
export function digestsOnly(): () => Held {
  const names = new NameTable();
  const peer = sharing(names, PEER);
  const terms = sharing(names, PEER_TERMS);
  return () => ({ peers: new RecordDigests(peer), acl: new RecordDigests(terms) });
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
