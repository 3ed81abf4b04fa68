/** What is wrong with the text that should be a certificate request, said before it is sent. */
import { MAX_REQUEST } from '@meshwork/contract/vocabulary';

/** Null: nothing that shows. A private key is never sent, whatever else is in the text. */
export function requestProblem(text: string): string | null {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    return 'This contains a private key, which was not sent. Keep it where it was made, and paste only the request.';
  }
  if (/-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----/.test(text)) {
    return text.length > MAX_REQUEST ? `It is longer than ${MAX_REQUEST.toLocaleString()} characters.` : null;
  }
  if (/-----BEGIN (?:TRUSTED )?CERTIFICATE-----/.test(text)) return 'This is a certificate, not a certificate request.';
  return 'It must begin with -----BEGIN CERTIFICATE REQUEST-----. Convert a binary request with openssl req -inform DER.';
}

/** The command that makes a key and a request for it. */
export function requestCommand(name: string): string {
  const file = name.split('.')[0] ?? name;
  return [
    'openssl req -new -nodes -subj / \\',
    '  -newkey ec -pkeyopt ec_paramgen_curve:P-256 \\',
    `  -keyout ${file}.key -out ${file}.csr \\`,
    `  -addext subjectAltName=DNS:${name}`,
  ].join('\n');
}

/** Whether a name can stand in a command as it is. */
export function isHostName(name: string): boolean {
  return /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/.test(name);
}
