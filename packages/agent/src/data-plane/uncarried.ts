import type { AppliedSection } from '@meshwork/contract';
import { isPeerSection, SECTIONS } from '@meshwork/contract/vocabulary';
import type { HeldView } from '../view/held-view.ts';

/** An agent without an engine for a section reports that, instead of a section in effect. */
export function refuseUncarried(section: AppliedSection, view: HeldView): void {
  if (isEmpty(section, view)) return;
  throw new Error(`this agent has no engine for "${section}": nothing of it is in effect`);
}

function isEmpty(section: AppliedSection, view: HeldView): boolean {
  if (isPeerSection(section)) return view[section].size === 0;
  const row = SECTIONS[section];
  const content: unknown = view.sections[section];
  return content === undefined || ('empty' in row && JSON.stringify(content) === JSON.stringify(row.empty));
}
