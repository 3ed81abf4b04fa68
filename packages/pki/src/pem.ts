/** PEM (RFC 7468): DER in base64 between two lines that say what it is. Light: an agent loads it without the rest. */

type PemLabel = 'CERTIFICATE' | 'CERTIFICATE REQUEST' | 'X509 CRL' | 'PRIVATE KEY' | 'ENCRYPTED PRIVATE KEY';

const LINE = 64;

export function pemOf(label: PemLabel, der: Uint8Array): string {
  const base64 = Buffer.from(der).toString('base64');
  let lines = '';
  for (let at = 0; at < base64.length; at += LINE) lines += `${base64.slice(at, at + LINE)}\n`;
  return `-----BEGIN ${label}-----\n${lines}-----END ${label}-----\n`;
}

/** Every block of this label in a text, each as PEM of its own. What stands between blocks is left out. */
export function pemBlocks(label: PemLabel, text: string): readonly string[] {
  const block = new RegExp(`-----BEGIN ${label}-----[A-Za-z0-9+/=\\s]*?-----END ${label}-----`, 'g');
  return (text.match(block) ?? []).map((one) => `${one}\n`);
}

/** What every block of a text says that it is, in order, whatever is in it. */
export function pemLabels(text: string): readonly string[] {
  return Array.from(text.matchAll(/^-----BEGIN ([A-Z0-9 ]{1,40})-----\r?$/gm), ([, label = '']) => label);
}

/** The bytes of the only block in a text. Undefined: there is none, there are several, or it is no base64. */
export function derOf(labels: readonly string[], text: string): Buffer<ArrayBuffer> | undefined {
  const match = /^\s*-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\s]+)-----END ([A-Z0-9 ]+)-----\s*$/.exec(text);
  const [, begin = '', base64 = '', end = ''] = match ?? [];
  if (begin !== end || !labels.includes(begin)) return undefined;
  const plain = base64.replaceAll(/\s/g, '');
  const der = Buffer.from(plain, 'base64');
  return der.length > 0 && der.toString('base64').replaceAll('=', '') === plain.replaceAll('=', '') ? der : undefined;
}
