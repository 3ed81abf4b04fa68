import { type SectionContent, WHOLE_SECTIONS, type WholeSection } from '@meshwork/contract';
import { digestOfSection } from '@meshwork/contract/section-digest';
import type { Stored, View } from '../mesh/model.ts';
import { momentOf, type SectionSources } from './section-source.ts';

/** The sections that a node is sent whole, as text and as digest. */
export class WholeSections {
  readonly #view: View;
  readonly #sources: SectionSources;
  readonly #digestsOfShared = new WeakMap<object, number>();

  constructor(view: View, sources: SectionSources) {
    this.#view = view;
    this.#sources = sources;
  }

  /** With its name, as a member of the answer. */
  json(node: Stored<'node'>, section: WholeSection): string {
    return `"${section}":${JSON.stringify(this.#content(node, section))}`;
  }

  digests(node: Stored<'node'>): Record<WholeSection, number> {
    const digests = WHOLE_SECTIONS.map((section) => [section, this.digest(node, section)]);
    return Object.fromEntries(digests) as Record<WholeSection, number>;
  }

  digest<S extends WholeSection>(node: Stored<'node'>, section: S): number {
    const content = this.#content(node, section);
    if (content === null || this.#sources[section].shared !== true) return digestOfSection(section, content);
    const digest = this.#digestsOfShared.get(content) ?? digestOfSection(section, content);
    this.#digestsOfShared.set(content, digest);
    return digest;
  }

  #content<S extends WholeSection>(node: Stored<'node'>, section: S): SectionContent<S> {
    const source = this.#sources[section];
    return source.content(node, source.nextChangeAt === undefined ? 0 : momentOf(this.#view, node, section));
  }
}
