import type { Seal } from '../../../seal.ts';
import type { Kept } from '../../handler.ts';

/** How long a person may take at the provider. */
export const JOURNEY_LIFETIME_S = 600;
const NAME = 'mesh_oidc';
const PATH = '/api/v1/auth/oidc';

/** What has to come back from the provider, kept in the browser that set out. */
export interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly code_verifier: string;
  /** A page of the panel. */
  readonly return_to: string;
  /**
   * The session of a person who confirms their identity: the provider must prompt them, and the session ends when they come back.
   * Kept here because browsers do not send its cookie with a request that another site began. Null: the browser had no session.
   */
  readonly replaces: string | null;
  readonly until_ms: number;
}

/**
 * The journey, sealed, for the browser to keep: the panel itself keeps nothing of people who may never come back. It is good for
 * nothing but to finish what this browser began.
 */
export function keptJourney(seal: Seal, journey: Journey): Kept {
  return { name: NAME, value: seal.seal(JSON.stringify(journey), NAME), lifetime_s: JOURNEY_LIFETIME_S, path: PATH };
}

/** Makes the browser forget it: a journey ends once. */
export const NO_JOURNEY: Kept = { name: NAME, value: null, lifetime_s: 0, path: PATH };

/** Undefined: this browser is on no journey, or it took too long. */
export function journeyOf(
  seal: Seal,
  { kept, now_ms }: { readonly kept: Readonly<Record<string, string>>; readonly now_ms: number },
): Journey | undefined {
  const sealed = kept[NAME];
  if (sealed === undefined) return undefined;
  const journey = opened(seal, sealed);
  return journey !== undefined && now_ms < journey.until_ms ? journey : undefined;
}

function opened(seal: Seal, sealed: string): Journey | undefined {
  try {
    return JSON.parse(seal.open(sealed, NAME)) as Journey;
  } catch {
    return undefined; // not sealed by this panel's key: forged, or the key was replaced
  }
}
