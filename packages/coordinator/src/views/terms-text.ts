import type { NodeId } from '@meshwork/contract';
import { digestOfPair, digestOfText, EMPTY_DIGEST } from '@meshwork/contract/digest';
import type { Terms } from '@meshwork/policy';

interface Written {
  /** Without its first brace, to be put behind the peer. */
  readonly json: string;
  readonly digest: number;
}

/** There are few different terms in a mesh, and each is one object: what they look like is written once. */
const written = new WeakMap<Terms, Written>();

/** Peers between whom nothing is allowed in this direction need not hear of it. */
export function isNothing({ allow, forward, routes }: Terms): boolean {
  return allow.length + forward.length + routes.length === 0;
}

/** As the node is sent them, for one peer. */
export function termsJson(peer: NodeId, terms: Terms): string {
  return `{"peer":"${peer}",${write(terms).json}`;
}

/** As `digestOfTerms` computes it from the record. `of`: the digest of the peer's id. */
export function termsDigest(of: number, terms: Terms | undefined): number {
  return terms === undefined || isNothing(terms) ? EMPTY_DIGEST : digestOfPair(of, write(terms).digest);
}

function write(terms: Terms): Written {
  let text = written.get(terms);
  if (text === undefined) {
    const { allow, forward, routes, routes_via, routes_shared } = terms;
    const json = JSON.stringify({ allow, forward, routes, routes_via, routes_shared });
    text = { json: json.slice(1), digest: digestOfText(json) };
    written.set(terms, text);
  }
  return text;
}
