/**
 * Whose a revocation list is, and how long it is good for. Light, as `pem.ts` is: a list may have many entries, and only its head is
 * read.
 */
import { derOf, pemBlocks } from './pem.ts';

interface ListHead {
  /** The name of its authority, in DER, in hexadecimal: as `issuerOf` gives it. */
  readonly issuer: string;
  /** When the next one is due. Null: it does not say, and programs take it for good. */
  readonly next_ms: number | null;
}

interface Value {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

const [SEQUENCE, INTEGER, UTC_TIME, GENERALIZED_TIME, VERSION] = [0x30, 0x02, 0x17, 0x18, 0xa0];

/** Throws when it is no list. */
export function headOfList(pem: string): ListHead {
  const [content] = valuesIn(derIn('X509 CRL', pem), 1);
  const [list] = valuesIn(content?.content, 1);
  const all = valuesIn(list?.content, 5);
  // A version is there in lists of today. Then: signature, issuer, this update, next update.
  const [, issuer, , next] = all[0]?.tag === INTEGER ? all.slice(1) : all;
  if (issuer?.tag !== SEQUENCE) throw new Error('a revocation list has no issuer');
  return { issuer: issuer.whole.toString('hex'), next_ms: next === undefined ? null : timeOf(next) };
}

/** The name of what signed the first certificate in a text, in DER, in hexadecimal. Throws when there is none. */
export function issuerOf(pem: string): string {
  const [content] = valuesIn(derIn('CERTIFICATE', pem), 1);
  const [certificate] = valuesIn(content?.content, 1);
  const all = valuesIn(certificate?.content, 4);
  // Version, serial number, signature, issuer.
  const issuer = all[all[0]?.tag === VERSION ? 3 : 2];
  if (issuer?.tag !== SEQUENCE) throw new Error('a certificate has no issuer');
  return issuer.whole.toString('hex');
}

function derIn(label: 'CERTIFICATE' | 'X509 CRL', text: string): Buffer {
  const [block = ''] = pemBlocks(label, text);
  const der = derOf([label], block);
  if (der === undefined) throw new Error(`there is no ${label} in PEM`);
  return der;
}

/** The first few values that stand one after the other. */
function valuesIn(der: Buffer | undefined, most: number): readonly Value[] {
  const values: Value[] = [];
  let at = 0;
  while (der !== undefined && at < der.length && values.length < most) {
    const value = valueAt(der, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function valueAt(der: Buffer, at: number): Value {
  const [tag, short] = [der[at], der[at + 1]];
  if (tag === undefined || short === undefined) throw new Error('a value in DER ends too early');
  const more = short < 0x80 ? 0 : short - 0x80;
  const head = at + 2 + more;
  if (short === 0x80 || more > 4 || head > der.length) throw new Error('a value in DER has no length');
  const length = more === 0 ? short : der.readUIntBE(at + 2, more);
  if (head + length > der.length) throw new Error('a value in DER ends too early');
  return { tag, whole: der.subarray(at, head + length), content: der.subarray(head, head + length) };
}

/** Null: it is no time, but what may stand in its place. */
function timeOf({ tag, content }: Value): number | null {
  if (tag !== UTC_TIME && tag !== GENERALIZED_TIME) return null;
  const text = content.toString('latin1');
  // Years of two digits are those from 1950 to 2049 (RFC 5280, 4.1.2.5.1).
  const whole = tag === GENERALIZED_TIME ? text : `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}`;
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(whole) ?? [];
  if (year === undefined) throw new Error(`${JSON.stringify(text)} is no time of a revocation list`);
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
