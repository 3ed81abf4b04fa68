import { type Network, parseNetwork } from '@meshwork/addresses';
import type { Allow } from '../document/allow.ts';
import type { Conditions, Grant, PolicyDocument } from '../document/document.ts';
import { parseAllows } from './allow-difference.ts';
import type { Link, Side, SourceSide, TargetSide } from './sides.ts';

type Open<S extends Side> = Omit<S, 'links' | 'within'> & { readonly links: Link[]; within: boolean };
type OpenSource = Omit<Open<SourceSide>, 'networkLinks'> & { readonly networkLinks: Link[] };
type OpenLink = Omit<Link, 'grants' | 'allow'> & { readonly grants: number[]; readonly allow: Allow[] };

/** The grants that count, taken apart into the sides that nodes can be on and the links between them. */
export class Plan {
  readonly document: PolicyDocument;
  /** Places in the document of the grants that have expired. */
  readonly lapsed: ReadonlySet<number>;
  readonly #sources = new Map<string, OpenSource>();
  readonly #targets = new Map<string, Open<TargetSide>>();
  readonly #links = new Map<string, OpenLink>();

  constructor(document: PolicyDocument, lapsed: ReadonlySet<number>) {
    this.document = document;
    this.lapsed = lapsed;
    for (const [index, grant] of document.grants.entries()) if (!lapsed.has(index)) this.#add(index, grant);
  }

  get sources(): Iterable<SourceSide> {
    return this.#sources.values();
  }

  get targets(): Iterable<TargetSide> {
    return this.#targets.values();
  }

  get sideCount(): number {
    return this.#sources.size + this.#targets.size;
  }

  get linkCount(): number {
    return this.#links.size;
  }

  /**
   * A grant to a network without `via` leads through the nodes of the source's own boundary, and elsewhere only to what
   * was approved for the whole mesh. So it becomes two links.
   */
  #add(index: number, grant: Grant): void {
    const source = this.#source(grant.from, grant.when ?? {});
    const within = grant.within === 'boundary';
    const isOpen = grant.via === undefined && networkOf(grant.to) !== undefined;
    this.#link(source, this.#target(grant, false), { index, grant, within: within || isOpen });
    if (isOpen && !within) this.#link(source, this.#target(grant, true), { index, grant, within });
  }

  #link(
    source: OpenSource,
    target: Open<TargetSide>,
    { index, grant, within }: { readonly index: number; readonly grant: Grant; readonly within: boolean },
  ): void {
    const key = `${source.id} ${target.id} ${within}`;
    let link = this.#links.get(key);
    if (link === undefined) {
      link = { id: this.#links.size, source, target, within, grants: [], allow: [] };
      this.#links.set(key, link);
      source.links.push(link);
      if (target.network !== undefined) source.networkLinks.push(link);
      target.links.push(link);
      // With a network, providers of the own boundary go first, so both ends have to say which theirs is.
      const asksForBoundary = within || target.network !== undefined;
      source.within ||= asksForBoundary;
      target.within ||= asksForBoundary;
    }
    link.grants.push(index);
    link.allow.push(...parseAllows(grant.allow));
  }

  #source(group: string, when: Conditions): OpenSource {
    const key = JSON.stringify([group, when.fresh, when.agent_version, when.tag]);
    let side = this.#sources.get(key);
    if (side === undefined) {
      side = { id: this.sideCount, group, when, links: [], networkLinks: [], within: false };
      this.#sources.set(key, side);
    }
    return side;
  }

  #target({ to, via }: Grant, shared: boolean): Open<TargetSide> {
    const network = networkOf(to);
    const group = network === undefined ? to : via;
    const key = network === undefined ? to : `${to} ${shared ? '*' : (via ?? '')}`;
    let side = this.#targets.get(key);
    if (side === undefined) {
      side = { id: this.sideCount, group, network, shared, links: [], within: false };
      this.#targets.set(key, side);
    }
    return side;
  }
}

/** Undefined: it is the name of a group, in which there never is a slash. */
export function networkOf(to: string): Network | undefined {
  if (!to.includes('/')) return undefined;
  const network = parseNetwork(to);
  if (network === undefined) throw new Error(`${to} is no network: the policy was compiled without being checked.`);
  return network;
}
