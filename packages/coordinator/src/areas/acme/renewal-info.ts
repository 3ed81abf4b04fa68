/** When a client should renew (RFC 9773). Lives here are short, so the windows are too. */
import { createHash, X509Certificate } from 'node:crypto';
import { utc } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { AcmeAnswer, AcmeCall } from './acme-call.ts';
import { AcmeError, malformed, notFound } from './acme-error.ts';
import type { Desk } from './desk.ts';

/** The window begins when this much of a life is over, and ends when this much is. */
const WINDOW = { from: 2 / 3, to: 5 / 6 };
/** How long a client takes an answer for granted: a part of the life, within bounds. */
const LOOKED_AT = { part: 1 / 48, least_s: 60, most_s: 6 * 3600 };
/** Of P-256, without compression: what a key is known by is the digest of this. */
const POINT_BYTES = 65;

/** `KEY.SERIAL`: the key of its authority and its serial number. */
export function renewalInfo({ mesh }: Desk, [id = '']: readonly string[]): AcmeAnswer {
  const { model } = mesh;
  const certificate = certificateWith(model, id);
  if (certificate === undefined) throw notFound('certificate');
  const { not_before, not_after, serial, issuer } = certificate.body;
  const [from, to] = [Date.parse(not_before), Date.parse(not_after)];
  const life = to - from;
  // One that is revoked, or whose authority retires, is to be replaced now.
  const isOver =
    model.get('revocation', serial) !== undefined || model.get('authority', issuer)?.body.state !== 'active';
  const at = (part: number) => utc(from + Math.floor(life * part));
  const window = isOver ? { start: utc(from), end: utc(from + 1000) } : { start: at(WINDOW.from), end: at(WINDOW.to) };
  const looked_s = Math.floor((life / 1000) * LOOKED_AT.part);
  const retry_after_s = Math.min(LOOKED_AT.most_s, Math.max(LOOKED_AT.least_s, looked_s));
  return { body: { suggestedWindow: window }, retry_after_s };
}

/** The serial number of the certificate whose place an order takes. Throws when it cannot be had. */
export function ensureReplaceable(
  view: View,
  call: AcmeCall,
  { replaces, names }: { readonly replaces: unknown; readonly names: readonly string[] },
): string {
  const certificate = typeof replaces === 'string' ? certificateWith(view, replaces) : undefined;
  if (certificate?.body.account !== call.account_id) throw malformed('replaces names no certificate of this account.');
  const { serial } = certificate.body;
  if (!certificate.body.names.dns.some((name) => names.includes(name))) {
    throw malformed('The certificate that replaces names has none of these names.');
  }
  if (view.get('claim', replacedClaim(serial)) !== undefined) {
    throw new AcmeError('alreadyReplaced', 'Another order has taken the place of this certificate.');
  }
  return serial;
}

/** That another certificate has taken the place of one, by serial number. */
export function replacedClaim(serial: string): string {
  return `replaced/${serial}`;
}

function certificateWith(view: View, id: string): Stored<'certificate'> | undefined {
  const [, key = '', number = ''] = /^([\w-]+)\.([\w-]+)$/.exec(id) ?? [];
  const serial = Buffer.from(number, 'base64url').toString('hex');
  const holder = view.get('claim', `serial/${serial}`)?.body.holder;
  const certificate = holder === undefined ? undefined : view.get('certificate', holder);
  const issuer = certificate === undefined ? undefined : view.get('authority', certificate.body.issuer);
  return issuer !== undefined && keyIdentifierOf(issuer) === key ? certificate : undefined;
}

function keyIdentifierOf({ body }: Stored<'authority'>): string {
  const { publicKey } = new X509Certificate(Buffer.from(body.certificate, 'base64'));
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-POINT_BYTES);
  return createHash('sha1').update(point).digest('base64url');
}
