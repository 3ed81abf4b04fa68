/** When a certificate is renewed: as its authority asks (RFC 9773), or else after two thirds of its life. */
import { utc } from '@meshwork/contract';
import { readRenewalInfo, type SuggestedWindow } from '../../acme-client/acme-answers.ts';
import { AcmeFailure } from '../../acme-client/acme-failure.ts';
import { type AcmeSession, retryAfterOf } from '../../acme-client/acme-session.ts';
import type { Renewal } from '../../kinds/outside-authorities.ts';

/** Ours. */
const ASKED_AGAIN_S = { least: 60, usual: 6 * 3600, most: 86_400 };
const OVER = 2 / 3;
/** A part of the life, so that what was issued together is not renewed together. */
const SPREAD = 1 / 24;

interface Life {
  readonly not_before: string;
  readonly not_after: string;
}

interface About extends Life {
  /** Null: the authority cannot be asked. */
  readonly renewal_id: string | null;
  /** As it was set before. Null: it is new. */
  readonly before: Renewal | null;
  readonly now_ms: number;
}

/** Asks the authority, where it can be asked. */
export async function renewalFrom(session: AcmeSession, about: About): Promise<Renewal> {
  const { renewal_info } = await session.directory();
  if (renewal_info === null || about.renewal_id === null) return byLifetime(about);
  try {
    const answer = await session.get(`${renewal_info.replace(/\/$/, '')}/${about.renewal_id}`);
    return byAuthority(readRenewalInfo(answer.body), retryAfterOf(answer), about);
  } catch (error) {
    if (!(error instanceof AcmeFailure)) throw error;
    return { ...byLifetime(about), ask_at: askedAgain(null, about.now_ms) }; // it does not know this one yet, perhaps
  }
}

export function byLifetime({ not_before, not_after, before }: About): Renewal {
  if (before?.by === 'lifetime') return { ...before, ask_at: null };
  const from = Date.parse(not_before);
  const life = Date.parse(not_after) - from;
  const at = from + life * (OVER + SPREAD * Math.random());
  return { at: utc(Math.floor(at)), by: 'lifetime', explanation_url: null, ask_at: null };
}

/** A moment that was chosen stays while it lies in the window. */
function byAuthority(window: SuggestedWindow, retry_after_s: number | null, { before, now_ms }: About): Renewal {
  const { start_ms, end_ms, explanation_url } = window;
  const chosen = before?.by === 'authority' ? Date.parse(before.at) : undefined;
  const stays = chosen !== undefined && chosen >= start_ms && chosen <= end_ms;
  const at = stays ? chosen : start_ms + Math.random() * (end_ms - start_ms);
  return { at: utc(Math.floor(at)), by: 'authority', explanation_url, ask_at: askedAgain(retry_after_s, now_ms) };
}

function askedAgain(retry_after_s: number | null, now_ms: number): string {
  const { least, usual, most } = ASKED_AGAIN_S;
  return utc(now_ms + Math.min(most, Math.max(least, retry_after_s ?? usual)) * 1000);
}
