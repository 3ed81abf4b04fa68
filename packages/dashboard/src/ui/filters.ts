/** Filters that live in the address bar: a link has them, and they survive a reload. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

type Filters<K extends string> = Readonly<Partial<Record<K, string>>>;
type Change<K extends string> = (change: Partial<Record<K, string | null>>) => void;

/** Null or empty takes a filter away. A change replaces the entry in the history: "back" leaves the page, not the filter. */
export function useFilters<K extends string>(names: readonly K[]): [Filters<K>, Change<K>] {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const filters: Partial<Record<K, string>> = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') filters[name] = value;
  }
  const change = useCallback<Change<K>>(
    (changes) => {
      void navigate({
        to: '.',
        replace: true,
        search: (current: Record<string, unknown>) => {
          const next = { ...current };
          for (const [name, value] of Object.entries<string | null | undefined>(changes)) {
            if (value === null || value === undefined || value === '') delete next[name];
            else next[name] = value;
          }
          return next;
        },
      });
    },
    [navigate],
  );
  return [filters, change];
}
