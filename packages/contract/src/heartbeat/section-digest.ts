/** The digest of each section, by one function for coordinator and agent: what differs between them is then what they hold. */
import { digestOf, digestOfTerms, EMPTY_DIGEST, withItem } from '../digest.ts';
import type { SectionContent } from './section-contents.ts';
import { type PeerSection, SECTIONS, type SectionRow, type WholeSection } from './sections.ts';

/** `content` undefined: the section was never sent. */
export function digestOfSection<S extends WholeSection>(section: S, content: SectionContent<S> | undefined): number {
  const { digest, empty }: SectionRow = SECTIONS[section];
  const value: unknown = content ?? empty;
  if (value === undefined) return EMPTY_DIGEST;
  return digest === 'whole' ? digestOf(value) : digestOfRecords(value as readonly object[]);
}

/** Of one record of a section about peers. The section is the sum of them. */
export function digestOfPeerRecord(section: PeerSection, record: object): number {
  const { digest }: SectionRow = SECTIONS[section];
  return digest === 'terms' ? digestOfTerms(record as { readonly peer: string }) : digestOf(record);
}

function digestOfRecords(records: readonly object[]): number {
  return records.reduce((sum, record) => withItem(sum, digestOf(record)), EMPTY_DIGEST);
}
