/**
 * The unsaved draft: kept for this tab, so that neither a reload nor the end of a session takes it away. By
 * person, because the next one who signs in here may not be allowed to see it.
 */
export interface Base {
  readonly version: number;
  readonly etag: string;
  readonly text: string;
}

export interface Draft {
  readonly text: string;
  /** The policy that it was begun from. Saving it is refused once there is another. */
  readonly base: Base;
}

const keyOf = (person: string) => `meshwork.policy-draft.${person}`;

export function readDraft(storage: Storage, person: string): Draft | null {
  const kept = storage.getItem(keyOf(person));
  if (kept === null) return null;
  try {
    const value: unknown = JSON.parse(kept);
    return isDraft(value) ? value : null;
  } catch {
    return null; // of another version of the dashboard
  }
}

/** False: there is no room for it, and it would be lost with the page. */
export function keepDraft(storage: Storage, person: string, draft: Draft | null): boolean {
  if (draft === null) {
    storage.removeItem(keyOf(person));
    return true;
  }
  try {
    storage.setItem(keyOf(person), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

function isDraft(value: unknown): value is Draft {
  const isRecord = (some: unknown): some is Record<string, unknown> => typeof some === 'object' && some !== null;
  if (!isRecord(value) || typeof value.text !== 'string' || !isRecord(value.base)) return false;
  const { version, etag, text } = value.base;
  return typeof version === 'number' && typeof etag === 'string' && typeof text === 'string';
}
