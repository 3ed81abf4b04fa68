/** What the page around the editor does to its text. Each of these can be undone there. */
import { EditorView } from '@codemirror/view';
import type { Insertion } from '../text/insert-grant.ts';
import { positionOf } from './diagnostics.ts';

/** Only what is different, so that the cursor stays where it is. */
export function replaceText(view: EditorView, text: string): void {
  const now = view.state.doc.toString();
  if (now === text) return;
  let from = 0;
  while (from < now.length && from < text.length && now[from] === text[from]) from += 1;
  let rest = 0;
  const most = Math.min(now.length, text.length) - from;
  while (rest < most && now[now.length - 1 - rest] === text[text.length - 1 - rest]) rest += 1;
  view.dispatch({ changes: { from, to: now.length - rest, insert: text.slice(from, text.length - rest) } });
}

/** And shows the last of it. */
export function insertText(view: EditorView, insertions: readonly Insertion[]): void {
  const changes = view.state.changes([...insertions]);
  const last = insertions.at(-1)?.from ?? 0;
  const [anchor, head] = [changes.mapPos(last, -1), changes.mapPos(last, 1)];
  view.dispatch({ changes, selection: { anchor, head }, userEvent: 'input.grant' });
  view.dispatch({ effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}

export function goTo(view: EditorView, line: number, column: number): void {
  const anchor = positionOf(view.state.doc, line, column);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}
