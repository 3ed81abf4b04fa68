/**
 * The page to open after the sign-in, or `/` when it is not a page of the panel. It is parsed as a browser parses it: `/\evil`, a
 * tab between slashes and `/.//evil` all lead to another site.
 */
export function returnPathOf(wanted: string | undefined, panel_url: string): string {
  const url = URL.parse(wanted ?? '/', panel_url);
  if (url === null || url.origin !== new URL(panel_url).origin) return '/';
  const path = `${url.pathname}${url.search}${url.hash}`;
  const isPage = !path.startsWith('//') && !path.startsWith('/api/');
  return isPage && wanted?.startsWith('/') === true ? path : '/';
}
