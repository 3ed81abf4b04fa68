import type { Seal } from '../../seal.ts';

/** How long somebody may take at the provider. */
export const JOURNEY_LIFETIME_S = 600;
const COOKIE = 'mesh_oidc';
const PATH = '/api/v1/auth/oidc';

/** What has to come back from the provider, kept in the browser that set out. */
export interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  /** A page of the panel. */
  readonly return_to: string;
  /**
   * The session of somebody who is signed in and wants to prove once more who they are: the provider must ask them anew, and it ends
   * when they come back. Kept here because browsers send its cookie along with nothing that another site began. Null: nobody was.
   */
  readonly replaces: string | null;
  readonly until_ms: number;
}

/**
 * The journey as a cookie that only the panel can read or write: the panel itself keeps nothing of people who may never come back.
 * Lax, because the provider sends the browser here from another site; it is good for nothing but to finish what this browser began.
 */
export function journeyCookie(seal: Seal, journey: Journey, is_tls: boolean): string {
  return cookie(seal.seal(JSON.stringify(journey), COOKIE), JOURNEY_LIFETIME_S, is_tls);
}

/** Makes the browser forget it: a journey ends once. */
export function noJourneyCookie(is_tls: boolean): string {
  return cookie('', 0, is_tls);
}

/** Undefined: this browser is on no journey, or it took too long. */
export function journeyOf(
  seal: Seal,
  cookies: Readonly<Record<string, string>>,
  { now_ms, is_tls }: { readonly now_ms: number; readonly is_tls: boolean },
): Journey | undefined {
  const sealed = cookies[nameOf(is_tls)];
  if (sealed === undefined) return undefined;
  const journey = opened(seal, sealed);
  return journey !== undefined && now_ms < journey.until_ms ? journey : undefined;
}

function opened(seal: Seal, sealed: string): Journey | undefined {
  try {
    return JSON.parse(seal.open(sealed, COOKIE)) as Journey;
  } catch {
    return undefined; // not sealed by this panel's key: somebody made it up, or the key is a new one
  }
}

function cookie(value: string, max_age_s: number, is_tls: boolean): string {
  const flags = `Path=${is_tls ? '/' : PATH}; Max-Age=${max_age_s}; HttpOnly; SameSite=Lax`;
  return `${nameOf(is_tls)}=${value}; ${flags}${is_tls ? '; Secure' : ''}`;
}

/** `__Host-`, as for the session: a sibling host could otherwise set one of its own. Browsers take it for all paths only. */
function nameOf(is_tls: boolean): string {
  return is_tls ? `__Host-${COOKIE}` : COOKIE;
}
