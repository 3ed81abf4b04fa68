/** The page that was requested before the sign-in. Only a page of this dashboard, never another site. */
export function safeReturn(wanted: unknown): string {
  if (typeof wanted !== 'string' || !URL.canParse(wanted, HERE)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, HERE);
  // Browsers read `/\evil` and even `/<tab>/evil` as another site, so the one that reads it here decides.
  if (origin !== HERE || !wanted.startsWith('/') || pathname.startsWith('//')) return '/';
  return pathname === '/sign-in' ? '/' : `${pathname}${search}${hash}`;
}

const HERE = 'http://here.invalid';
