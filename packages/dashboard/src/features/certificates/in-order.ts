import type { Certificate } from '@meshwork/contract';

/** Ours: as many as come in one page. A longer list stays as it is, oldest first, so that it does not change while scrolling. */
const AT_ONCE = 200;

/** In the order in which one looks for them: valid ones first, the next to expire on top; then those that are over, the latest first. */
export function inOrder(certificates: readonly Certificate[]): readonly Certificate[] {
  if (certificates.length > AT_ONCE) return certificates;
  return certificates.toSorted((a, b) => {
    const sides = Number(a.state !== 'valid') - Number(b.state !== 'valid');
    if (sides !== 0) return sides;
    const ends = Date.parse(a.not_after) - Date.parse(b.not_after);
    return a.state === 'valid' ? ends : -ends;
  });
}
