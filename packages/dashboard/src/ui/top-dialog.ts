/** Dialogs that may come up over another one, such as a question about what that one is about to do. */
import { useLayoutEffect } from 'react';

/** Above every other dialog. */
const TOP_Z_INDEX = 400;

const open: (() => void)[] = [];

// Every open dialog gets Escape, and all would close. This listener was there before any of them: it answers for the topmost
// alone, and the form beneath keeps what was typed.
window.addEventListener(
  'keydown',
  (event) => {
    const close = open.at(-1);
    if (event.key !== 'Escape' || event.isComposing || close === undefined) return;
    event.stopImmediatePropagation();
    close();
  },
  { capture: true },
);

/** What makes a `Modal` one of these. */
export function useTopDialog(
  opened: boolean,
  close: () => void,
): { readonly opened: boolean; readonly onClose: () => void; readonly zIndex: number; readonly closeOnEscape: false } {
  // Before it is painted: an Escape that comes earlier would close what lies beneath.
  useLayoutEffect(() => {
    if (!opened) return undefined;
    open.push(close);
    return () => void open.splice(open.lastIndexOf(close), 1);
  }, [opened, close]);
  return { opened, onClose: close, zIndex: TOP_Z_INDEX, closeOnEscape: false };
}
