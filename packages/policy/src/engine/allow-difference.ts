import { type Allow, includes, mergeAllows, parseAllow } from '../document/allow.ts';

/**
 * What of a list is not opened by another, in canonical form. `*` is more than all that can be spelled out, so taking
 * `tcp:22` from it leaves `*`.
 */
export function without(list: Iterable<Allow>, taken: readonly Allow[]): readonly string[] {
  let left = [...list];
  for (const one of taken) left = left.flatMap((allow) => cut(allow, one));
  return mergeAllows(left);
}

/** From text that is known to be right, such as terms. */
export function parseAllows(texts: Iterable<string>): readonly Allow[] {
  return Array.from(texts, (text) => {
    const allow = parseAllow(text);
    if (allow === undefined) throw new Error(`${text} opens nothing, and should not have come this far.`);
    return allow;
  });
}

function cut(allow: Allow, taken: Allow): readonly Allow[] {
  if (includes(taken, allow)) return [];
  if (allow.protocol !== taken.protocol || taken.to < allow.from || allow.to < taken.from) return [allow];
  const pieces: Allow[] = [];
  if (allow.from < taken.from) pieces.push({ ...allow, to: taken.from - 1 });
  if (taken.to < allow.to) pieces.push({ ...allow, from: taken.to + 1 });
  return pieces;
}
