import { PanelAuditEntry } from '@meshwork/contract';
import type { Entry } from '@meshwork/store';
import Type from 'typebox';
import { Compile } from 'typebox/compile';

type TrailText = Omit<PanelAuditEntry, 'seq' | 'hash'>;

const { id, at, action, outcome, actor, target, detail } = PanelAuditEntry.properties;
/** The fields that readers rely on. Entries of other versions, which are kept forever, may have more or fewer. */
const text = Compile(Type.Object({ id, at, action, outcome, actor, target, detail }));

/** What an entry says. Undefined: its text is not that of an entry, so no panel wrote it. */
export function textOf(entry: Entry): TrailText | undefined {
  try {
    const parsed: unknown = JSON.parse(entry.body);
    return text.Check(parsed) ? (parsed as TrailText) : undefined;
  } catch {
    return undefined; // shown and reported as unreadable
  }
}

/** An entry as people see it. */
export function trailEntry(entry: Entry): PanelAuditEntry {
  return { ...(textOf(entry) ?? unreadable(entry)), seq: entry.seq, hash: entry.hash };
}

const UNREADABLE = 'unreadable';

/** Stands in for a text that is lost, so that one damaged entry does not hide all others. */
function unreadable(entry: Entry): TrailText {
  const when = new Date(entry.at_ms);
  return {
    id: entry.id,
    at: (Number.isNaN(when.getTime()) ? new Date(0) : when).toISOString(),
    action: entry.action ?? UNREADABLE,
    outcome: 'done',
    code: null,
    actor: { kind: entry.actor === null ? 'anonymous' : 'person', id: entry.actor, name: UNREADABLE },
    target: entry.target === null ? null : { kind: UNREADABLE, id: entry.target },
    request_id: null,
    address: null,
    detail: 'The text of this entry cannot be read: it was changed in the store. Verify the trail.',
  };
}
