import { AsnConvert } from '@peculiar/asn1-schema';
import { CRLNumber, id_ce_cRLNumber } from '@peculiar/asn1-x509';
import { derOf } from './pem.ts';
import { plainSerial } from './serial.ts';
import { x509 } from './x509.ts';

/** A revocation list of the root that was made outside. */
export interface RootList {
  /** DER. */
  readonly der: Uint8Array<ArrayBuffer>;
  readonly number: number;
  readonly entries: number;
  readonly made_at: Date;
  readonly next_at: Date;
}

export interface RootListToCheck {
  /** PEM. Null: there is none, and the root has one until `list_ends_ms`. */
  readonly revocation_list: string | null;
  readonly list_ends_ms: number;
  /** The number of the list that there is. */
  readonly list_number: number;
  /** Serial numbers of intermediates that are in use: a list that names one of them cuts the mesh off. */
  readonly in_use: readonly string[];
  readonly now_ms: number;
}

const SLACK_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;

/** The list that comes with an intermediate, and all that is wrong with it. Without one, that which is there has to do. */
export async function readRootList(
  given: RootListToCheck,
  root: x509.X509Certificate,
  { notAfter }: x509.X509Certificate,
): Promise<{ readonly read: RootList | null; readonly faults: readonly string[] }> {
  const needed_ms = Math.min(notAfter.getTime(), root.notAfter.getTime());
  if (given.revocation_list === null) {
    const isEnough = given.list_ends_ms >= needed_ms;
    const ends = new Date(given.list_ends_ms).toISOString();
    const fault = `The revocation list of the root ends at ${ends}, before the certificate: give a new one with it.`;
    return { read: null, faults: isEnough ? [] : [fault] };
  }
  const der = derOf(['X509 CRL'], given.revocation_list);
  const list = der === undefined ? undefined : readList(der);
  if (der === undefined || list === undefined) {
    return { read: null, faults: ['The revocation list is not PEM with one X509 CRL in it.'] };
  }
  const number = numberOf(list);
  const faults = [...listFaults(given, list, number)];
  if (list.issuer !== root.subject || !(await list.verify({ publicKey: root.publicKey }))) {
    faults.unshift(`The revocation list is not signed by ${root.subject.replace(/^CN=/, '')}.`);
  }
  const next_at = list.nextUpdate;
  if (next_at === undefined || next_at.getTime() < needed_ms) {
    const until =
      next_at === undefined ? 'does not say until when it is good' : `is good until ${next_at.toISOString()}`;
    faults.push(`The revocation list ${until}: it must be good for as long as the certificate.`);
  }
  if (next_at === undefined || number === undefined) return { read: null, faults };
  const read = { der: new Uint8Array(der), number, entries: list.entries.length, made_at: list.thisUpdate, next_at };
  return { read, faults };
}

function* listFaults(given: RootListToCheck, list: x509.X509Crl, number: number | undefined): Generator<string> {
  if (list.thisUpdate.getTime() > given.now_ms + SLACK_MS) {
    yield `The revocation list was made at ${list.thisUpdate.toISOString()}, which is in the future.`;
  }
  if (number === undefined) yield 'The revocation list has no number.';
  else if (number <= given.list_number) {
    yield `The revocation list has the number ${number}, and must have a higher one than ${given.list_number}.`;
  } else if (number > given.now_ms + DAY_MS) {
    yield `The revocation list has the number ${number}: numbers follow the clock, in milliseconds, and none is from the future.`;
  }
  for (const { serialNumber } of list.entries) {
    const serial = plainSerial(serialNumber);
    if (given.in_use.includes(serial)) yield `The revocation list names ${serial}, an intermediate that is in use.`;
  }
}

function readList(der: Buffer<ArrayBuffer>): x509.X509Crl | undefined {
  try {
    const list = new x509.X509Crl(der);
    return list.entries.length >= 0 ? list : undefined; // read now, so that what cannot be read fails here
  } catch {
    return undefined;
  }
}

/** Undefined: it has none, or one that no list of ours can follow. */
function numberOf(list: x509.X509Crl): number | undefined {
  const extension = list.extensions.find(({ type }) => type === id_ce_cRLNumber);
  if (extension === undefined) return undefined;
  try {
    const value = Number(AsnConvert.parse(extension.value, CRLNumber).value); // the library gives a text where it is long
    return Number.isSafeInteger(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
