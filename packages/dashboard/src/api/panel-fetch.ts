/** Every request of the page goes through here: to the panel that served it, with the session's own token against forgery. */
import { COORDINATOR_PREFIX, UNATTENDED_HEADER } from '@meshwork/contract/vocabulary';
import { notePanelAnswer, noteReachability } from './reachability.ts';

let csrf_token: string | null = null;
let signedOut: () => void = () => undefined;

/** Set by the session. Null: no session. */
export function carryCsrfToken(token: string | null): void {
  csrf_token = token;
}

/** Called when an answer says that the session is over. */
export function whenSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Asks the panel itself. */
export const panelFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('user-agent'); // the browser has its own
  if (!isAttended()) headers.set(UNATTENDED_HEADER, '1');
  if (csrf_token !== null && init?.method !== 'GET') headers.set('x-csrf-token', csrf_token);
  const response = await fetchNoting(input, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401 && (await codeOf(response)) === 'sign_in_required') signedOut();
  return response;
};

/** Asks the coordinator, by way of the panel: `/v1/nodes` is `/api/v1/coordinator/nodes` here. */
export const coordinatorFetch: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  url.pathname = `${COORDINATOR_PREFIX}${url.pathname.slice('/v1'.length)}`;
  const response = await panelFetch(url, init);
  if (response.status === 503 && (await codeOf(response)) === 'coordinator_unavailable') {
    noteReachability('coordinator_away');
  } else if (response.ok) noteReachability('there');
  return response;
};

/** What a proxy in front says when there is nothing behind it. */
const GATEWAY_ERRORS = new Set([502, 504]);

async function fetchNoting(input: Parameters<typeof fetch>[0], init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    if (GATEWAY_ERRORS.has(response.status)) noteReachability('panel_away');
    else notePanelAnswer();
    return response;
  } catch (error) {
    if (init.signal?.aborted !== true) noteReachability('panel_away');
    throw error;
  }
}

async function codeOf(response: Response): Promise<unknown> {
  try {
    const problem: unknown = await response.clone().json();
    return typeof problem === 'object' && problem !== null && 'code' in problem ? problem.code : undefined;
  } catch {
    return undefined; // no problem document: the caller reports it
  }
}

/** Events that show that a person uses the page. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'focus'] as const;
/** Ours: a person who reads a page touches it now and then. */
const ATTENDED_MS = 60_000;

let touched_at = performance.now();

for (const sign of SIGNS) {
  addEventListener(
    sign,
    () => {
      touched_at = performance.now();
    },
    { passive: true, capture: true },
  );
}

function isAttended(): boolean {
  return performance.now() - touched_at < ATTENDED_MS;
}
