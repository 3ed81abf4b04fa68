/** Whether a person uses the page, as far as it can tell. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const;
/** Ours: a person who reads a page touches it now and then. */
const ATTENDED_MS = 60_000;

let touched_at = performance.now();

for (const sign of SIGNS) {
  addEventListener(
    sign,
    () => {
      touched_at = performance.now();
    },
    { passive: true, capture: true },
  );
}

export function isAttended(): boolean {
  return performance.now() - touched_at < ATTENDED_MS;
}
