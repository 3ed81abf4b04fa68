import { useRouterState } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

// Where the page was loaded nobody has gone anywhere yet: the browser's own focus is right.
let last_path: string | undefined;

/** After going to another page, focus is on its title: a screen reader says where one is, and Tab goes on from there. */
export function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null);
  // Not where one is going, which the page that one leaves hears of too.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    if (path === undefined) return;
    if (last_path !== undefined && last_path !== path) title.current?.focus({ preventScroll: true });
    last_path = path;
  }, [path]);
  return title;
}
