import type { DetailedPeerCertificate } from 'node:tls';
import type { CheckedPlace } from '@meshwork/contract';

type Certificate = NonNullable<CheckedPlace['certificate']>;

interface Judged {
  readonly fits: boolean;
  readonly mesh_roots: ReadonlySet<string>;
  /** Why its chain does not verify. Undefined: it does. */
  readonly problem: string | undefined;
}

const MAX_WORDS = 200;
const MAX_NAME = 260;
const MOST_NAMES = 20;
/** Longer than any chain. One that is signed by itself has itself as its issuer. */
const LONGEST_CHAIN = 10;

export function certificateOf(shown: DetailedPeerCertificate, { fits, mesh_roots, problem }: Judged): Certificate {
  const names = (shown.subjectaltname ?? '').split(', ').filter((name) => name !== '');
  return {
    names: names.slice(0, MOST_NAMES).map((name) => name.slice(0, MAX_NAME)),
    fits,
    not_before: timeOf(shown.valid_from),
    not_after: timeOf(shown.valid_to),
    issuer: textOf(shown.issuer?.CN ?? shown.issuer?.O).slice(0, MAX_WORDS),
    ...(problem === undefined
      ? { trusted_by: mesh_roots.has(rootOf(shown)) ? 'mesh' : 'public' }
      : { trusted_by: 'none', why: problem.slice(0, MAX_WORDS) }),
  };
}

/** `Nov 19 12:00:00 2026 GMT` → `2026-11-19T12:00:00.000Z`. */
function timeOf(text: string | undefined): string {
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? (text ?? '').slice(0, MAX_WORDS) : at.toISOString();
}

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

function rootOf(shown: DetailedPeerCertificate): string {
  let at = shown;
  for (let depth = 0; depth < LONGEST_CHAIN; depth++) {
    const { issuerCertificate: next } = at;
    if (next === undefined || next === at || next.fingerprint256 === at.fingerprint256) break;
    at = next;
  }
  return at.fingerprint256;
}
