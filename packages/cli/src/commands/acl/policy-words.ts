import type { Policy, PolicyVersion, PolicyWarning } from '@meshwork/contract';
import { printable } from '../../terminal-text.ts';
import { when } from '../../when.ts';
import { counted } from '../../wording.ts';

/** Nodes that are named; the rest are counted. */
const NAMED = 5;

/** Which version it is, who wrote it, when and why. */
export function versionWords({ version, created_at, created_by, note, restored_from }: PolicyVersion): string {
  const words = [`version ${version}`];
  if (created_by === null || created_at === null) words.push('default of a new mesh');
  else words.push(`by ${created_by.name}`, when(created_at));
  if (restored_from !== null) words.push(`restored from version ${restored_from}`);
  return `${words.join(', ')}${note === null ? '' : `: ${note}`}`;
}

/** Grants that have expired. Undefined: none has. */
export function lapsedWords({ lapsed, document }: Policy): string | undefined {
  if (lapsed.length === 0) return undefined;
  const named = lapsed.map((place) => {
    const grant = document.grants?.[place];
    return `grants[${place}]${grant === undefined ? '' : ` (${grant.from} -> ${grant.to})`}`;
  });
  return `expired, without effect: ${named.join(', ')}`;
}

/** What is worth a look, a line each. */
export function warningLines(warnings: readonly PolicyWarning[] | undefined): string[] {
  return (warnings ?? []).map(({ detail, count, nodes }) => {
    const named = nodes.slice(0, NAMED).map(({ name }) => name);
    const rest = count - named.length;
    return printable(
      `warning: ${detail.replace(/\.$/, ':')} ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    );
  });
}

/** What became of a change. `before` is the version that was in effect until then. */
export function changeWords(before: number, { version, groups, grants, restored_from }: Policy): string {
  if (version === before) return `nothing changed: version ${version} has this text already`;
  const from = restored_from === null ? '' : `, restored from version ${restored_from}`;
  return `version ${version} is in effect${from}: ${counted(groups, 'group')}, ${counted(grants, 'grant')}`;
}

/** In a table, where the version has a column of its own. */
export function versionNote({ version, note, restored_from }: PolicyVersion): string {
  if (version === 0) return 'default of a new mesh';
  const words = [
    ...(restored_from === null ? [] : [`restored from ${restored_from}`]),
    ...(note === null ? [] : [note]),
  ];
  return words.join(': ') || '-';
}
