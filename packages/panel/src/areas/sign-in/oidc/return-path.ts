/**
 * The page of the panel that somebody wants to end on, or `/` when it is none of the panel's pages. What matters is where a browser
 * would go with it, so it is read as a browser reads it: `/\evil`, a tab between slashes and `/.//evil` all lead elsewhere.
 */
export function returnPathOf(wanted: string | undefined, panel_url: string): string {
  const url = URL.parse(wanted ?? '/', panel_url);
  if (url === null || url.origin !== new URL(panel_url).origin) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  const isPage = !path.startsWith('//') && !path.startsWith('/api/');
  return isPage && wanted?.startsWith('/') === true ? path : '/';
}
