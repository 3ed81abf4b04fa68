import { isIP } from 'node:net';

/** Whom passkeys are made for: the panel under its public address. */
export interface RelyingParty {
  /** The host name. A passkey works there and nowhere else, so another name means new passkeys. */
  readonly id: string;
  /** What the browser has to say that the page came from, to the letter. */
  readonly origin: string;
}

/** Null where browsers have no passkeys: at a bare IP address, and without TLS anywhere but on this machine. */
export function relyingPartyOf(panel_url: string): RelyingParty | null {
  const { hostname, origin, protocol } = new URL(panel_url);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || isLocal ? { id: hostname, origin } : null;
}
