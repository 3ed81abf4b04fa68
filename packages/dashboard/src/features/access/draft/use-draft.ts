import { useEffect, useEffectEvent, useState } from 'react';
import { type Base, type Draft, keepDraft, readDraft } from './stored-draft.ts';

export interface Drafting {
  /** What is in the editor. */
  readonly text: string;
  /** What it was begun from. */
  readonly base: Base;
  readonly is_changed: boolean;
  /** Another person saved meanwhile. */
  readonly is_behind: boolean;
  /** It was left behind by an earlier page. */
  readonly is_restored: boolean;
  /** There is no room to keep it: leaving the page loses it. */
  readonly is_kept: boolean;
  readonly change: (text: string) => void;
  /** The same text, now begun from what is in effect. */
  readonly rebase: () => void;
  readonly drop: () => void;
}

/** Our number: what is typed within it may be lost if the browser itself ends. */
const KEEP_AFTER_MS = 300;

export function useDraft(person: string, current: Base): Drafting {
  const [draft, setDraft] = useState<Draft | null>(() => readDraft(sessionStorage, person));
  const [restored, setRestored] = useState(draft !== null);
  const [isKept, setKept] = useState(true);
  const keep = useEffectEvent(() => setKept(keepDraft(sessionStorage, person, draft)));
  useEffect(() => {
    if (draft === null) {
      keepDraft(sessionStorage, person, null);
      return undefined;
    }
    const timer = setTimeout(keep, KEEP_AFTER_MS);
    const now = () => keepDraft(sessionStorage, person, draft);
    window.addEventListener('pagehide', now);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', now);
      now(); // also when the page goes: the session may be over
    };
  }, [draft, person]);

  const base = draft?.base ?? current;
  return {
    text: draft?.text ?? current.text,
    base,
    is_changed: draft !== null,
    is_behind: draft !== null && draft.base.etag !== current.etag,
    is_restored: restored && draft !== null,
    is_kept: isKept,
    change: (text) =>
      setDraft((now) => {
        const from = now?.base ?? current;
        return text === from.text ? null : { text, base: from };
      }),
    rebase: () =>
      setDraft((now) => (now === null || now.text === current.text ? null : { text: now.text, base: current })),
    drop: () => {
      setRestored(false);
      setDraft(null);
    },
  };
}
