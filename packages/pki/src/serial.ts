import { randomBytes } from 'node:crypto';

const SERIAL_BYTES = 16;

/** Random, positive, and of one length (RFC 5280, 4.1.2.2). In hexadecimal. */
export function newSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x3f) | 0x40, 0);
  return bytes.toString('hex');
}

/** As OpenSSL prints it, but in lower case: without the zero that DER writes before a high bit. */
export function plainSerial(serial: string): string {
  return serial.toLowerCase().replace(/^00(?=[89a-f])/, '');
}
