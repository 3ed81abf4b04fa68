import type { Terms } from './cohort.ts';

/**
 * Every terms object in use, by what it says. Of the process and not of an engine, so that terms before and after a change
 * of policy can be compared by identity. Weak: terms that are no longer referenced are forgotten.
 */
const table = new Map<string, WeakRef<Terms>>();

const forgotten = new FinalizationRegistry<string>((key) => {
  // Equal terms may have been interned again in the meantime.
  if (table.get(key)?.deref() === undefined) table.delete(key);
});

/** The one object that says this. */
export function intern(terms: Terms): Terms {
  const { allow, routes, routes_via = [], routes_shared = [] } = terms;
  const forward = terms.forward.map((one) => [one.to, one.allow]);
  const key = JSON.stringify([allow, forward, routes, routes_via, routes_shared]);
  const known = table.get(key)?.deref();
  if (known !== undefined) return known;
  table.set(key, new WeakRef(terms));
  forgotten.register(terms, key);
  return terms;
}

export const NO_TERMS: Terms = intern({ allow: [], forward: [], routes: [] });
