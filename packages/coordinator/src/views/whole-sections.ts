import { SECTIONS, type SectionContent, WHOLE_SECTIONS, type WholeSection } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import { digestOfSection } from '@meshwork/contract/section-digest';
import type { Stored, View } from '../mesh/model.ts';
import { momentOf, type SectionSources } from './section-source.ts';

/** The sections that a node is sent whole, as text and as digest. */
export class WholeSections {
  readonly #view: View;
  readonly #sources: SectionSources;
  /** What is the same for many nodes may be large: it is put into words once. */
  readonly #shared = new WeakMap<object, { text: string; digest: number | undefined }>();

  constructor(view: View, sources: SectionSources) {
    this.#view = view;
    this.#sources = sources;
  }

  /** With its name, as a member of the answer. */
  json(node: Stored<'node'>, section: WholeSection): string {
    const content: object | null = this.#content(node, section);
    const text = this.#isShared(section, content) ? this.#sharedOf(content).text : JSON.stringify(content);
    return `"${section}":${text}`;
  }

  digests(node: Stored<'node'>): Record<WholeSection, number> {
    const digests = WHOLE_SECTIONS.map((section) => [section, this.digest(node, section)]);
    return Object.fromEntries(digests) as Record<WholeSection, number>;
  }

  digest<S extends WholeSection>(node: Stored<'node'>, section: S): number {
    const content = this.#content(node, section);
    if (!this.#isShared(section, content)) return digestOfSection(section, content);
    const shared = this.#sharedOf(content);
    shared.digest ??=
      SECTIONS[section].digest === 'whole' ? digestOfText(shared.text) : digestOfSection(section, content);
    return shared.digest;
  }

  #isShared<C extends object>(section: WholeSection, content: C | null): content is C {
    return content !== null && this.#sources[section].shared === true;
  }

  #sharedOf(content: object): { text: string; digest: number | undefined } {
    const known = this.#shared.get(content);
    if (known !== undefined) return known;
    const shared = { text: JSON.stringify(content), digest: undefined };
    this.#shared.set(content, shared);
    return shared;
  }

  #content<S extends WholeSection>(node: Stored<'node'>, section: S): SectionContent<S> {
    const source = this.#sources[section];
    return source.content(node, source.nextChangeAt === undefined ? 0 : momentOf(this.#view, node, section));
  }
}
