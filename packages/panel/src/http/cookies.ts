import type { Site } from './site.ts';

/** `__Host-`: browsers keep such a cookie only from this very host, over TLS, for all paths. */
export function sessionCookieName(site: Site): string {
  return site.secure ? '__Host-mesh_session' : 'mesh_session';
}

/** `secret` is null for a browser that is to forget. It ends with the browser at the latest; the session itself is shorter. */
export function sessionCookie(site: Site, secret: string | null): string {
  const attributes = `Path=/; HttpOnly; SameSite=Strict${site.secure ? '; Secure' : ''}`;
  const name = sessionCookieName(site);
  return secret === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${secret}; ${attributes}`;
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
