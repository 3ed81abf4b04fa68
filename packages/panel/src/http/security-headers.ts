import type { Site } from '../site.ts';

/** What the API answers is shown nowhere and loads nothing. Pages have a policy of their own. */
const API_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  'content-security-policy': API_POLICY,
} as const;

const A_YEAR_S = 365 * 24 * 3600;

/** What every answer has, whatever it says. */
export function securityHeaders(site: Site): Readonly<Record<string, string>> {
  return site.secure ? { ...ALWAYS, 'strict-transport-security': `max-age=${A_YEAR_S}` } : ALWAYS;
}

/** For the pages of the dashboard. `nonce` is what style elements that its scripts make have to carry. */
export function pagePolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
