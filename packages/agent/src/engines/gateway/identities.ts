/**
 * Who visitors are, as nginx is sent it: from the view of the node, and from nothing else. It needs no reload, and nothing is sent
 * while no ingress asks.
 */
import type { Peer, SelfSection } from '@meshwork/contract';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import { GATEWAY_FILES } from './gateway-files.ts';
import type { GatewayFolder } from './gateway-folder.ts';

/** What is in it means nothing but itself: a key, and a value up to the end of the line. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ADDRESS = /^[0-9a-f.:]{2,39}$/;
const SPIFFE_PREFIX = /^spiffe:\/\/[a-z0-9._-]{1,255}\/node\/$/;
/** Without it, what was read is cut short. */
const END = 'end .\n';
export const NO_IDENTITIES = END;

interface KnownVisitors {
  /** The node itself: connections to its addresses in the mesh come from the mesh. Undefined: not known yet. */
  readonly self: Pick<SelfSection, 'address' | 'address6'> | undefined;
  readonly peers: Iterable<Pick<Peer, 'name' | 'address' | 'address6'>>;
  readonly spiffe_prefix: string | null;
  /** What tells who has signed in: see `sign-in-facts.ts`. */
  readonly sign_in?: readonly string[];
}

export function identitiesText({ self, peers, spiffe_prefix, sign_in = [] }: KnownVisitors): string {
  const lines: string[] = [];
  for (const address of self === undefined ? [] : addressesOf(self)) lines.push(`to/${address} 1\n`);
  if (spiffe_prefix !== null && SPIFFE_PREFIX.test(spiffe_prefix)) lines.push(`spiffe ${spiffe_prefix}\n`);
  for (const line of sign_in) lines.push(`${line}\n`);
  for (const peer of peers) {
    if (!NAME.test(peer.name)) continue;
    for (const address of addressesOf(peer)) lines.push(`node/${address} ${peer.name}\n`);
  }
  return lines.join('') + END;
}

function addressesOf({ address, address6 }: Pick<Peer, 'address' | 'address6'>): readonly string[] {
  return [address, address6].map(withoutPrefix).filter((text) => ADDRESS.test(text));
}

/** Has nginx know them: by a file when it starts, and over the private socket while it runs. */
export class Identities {
  readonly #folder: GatewayFolder;
  readonly #put: (text: string) => Promise<void>;
  #text = NO_IDENTITIES;
  #known: string | undefined;

  constructor(folder: GatewayFolder, put: (text: string) => Promise<void>) {
    this.#folder = folder;
    this.#put = put;
  }

  want(text: string): void {
    this.#text = text;
  }

  /** Before nginx is started: it begins with this. */
  async write(): Promise<void> {
    await this.#folder.write(GATEWAY_FILES.identities, this.#text);
  }

  /** `again`: whatever it was sent before. One that was started anew may know something else. */
  async push(again: 'again' | 'if changed' = 'again'): Promise<void> {
    const text = this.#text;
    if (again === 'if changed' && this.#known === text) return;
    this.#known = undefined;
    await this.write();
    await this.#put(text);
    this.#known = text;
  }

  /** In words. Null: the file is what was written. */
  async fault(): Promise<string | null> {
    const name = GATEWAY_FILES.identities;
    return (await this.#folder.read(name)) === this.#text ? null : `${this.#folder.file(name)} was changed`;
  }
}
