import type { Kept } from '../areas/handler.ts';
import type { Site } from '../site.ts';

const SESSION = 'mesh_session';
/** Browsers keep such a cookie only from this very host, over TLS, for all paths: a sibling host could otherwise set one of its own. */
const HOST_PREFIX = '__Host-';

export function sessionCookieName(site: Site): string {
  return nameOf(site, SESSION);
}

function nameOf({ secure }: Site, name: string): string {
  return secure ? `${HOST_PREFIX}${name}` : name;
}

/** `secret` is null for a browser that is to forget. It ends with the browser at the latest; the session itself is shorter. */
export function sessionCookie(site: Site, secret: string | null): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${site.secure ? '; Secure' : ''}`;
  const name = sessionCookieName(site);
  return secret === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${secret}; ${attributes}`;
}

/** Lax, because another site may send the browser back here to finish what it began. */
export function keptCookie(site: Site, { name, value, lifetime_s, path }: Kept): string {
  const flags = `Path=${site.secure ? '/' : path}; Max-Age=${lifetime_s}; HttpOnly; SameSite=Lax`;
  return `${nameOf(site, name)}=${value ?? ''}; ${flags}${site.secure ? '; Secure' : ''}`;
}

/** What use cases gave the browser to keep. The session is not among it. */
export function keptBy(site: Site, header: string | undefined): Readonly<Record<string, string>> {
  const prefix = nameOf(site, '');
  const own = Object.entries(readCookies(header)).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(
    own.map(([name, value]) => [name.slice(prefix.length), value] as const).filter(([name]) => name !== SESSION),
  );
}

/** Of two cookies of one name the first counts, which is the one with the longer path. */
export function readCookies(header: string | undefined): Readonly<Record<string, string>> {
  const cookies: Record<string, string> = Object.create(null);
  for (const part of header?.split(';') ?? []) {
    const split = part.indexOf('=');
    if (split < 1) continue;
    const name = part.slice(0, split).trim();
    if (!(name in cookies)) cookies[name] = part.slice(split + 1).trim();
  }
  return cookies;
}
