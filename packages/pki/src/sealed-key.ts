/**
 * A private key that is sealed to a passphrase: PKCS #8 with PBES2 (RFC 8018), which `openssl pkey` opens anywhere. Written here
 * because Node exports with 2048 rounds and has no option for more. Light: a coordinator loads it without the rest.
 */
import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { pemOf } from './pem.ts';

/** Ours, as OWASP advises for PBKDF2 with SHA-256: some tenths of a second for each guess. */
const ROUNDS = 600_000;
const SALT_BYTES = 16;
const IV_BYTES = 16;
const KEY_BYTES = 32;

const derive = promisify(pbkdf2);

/** `pkcs8`: the key in DER. In PEM. */
export async function sealKey(pkcs8: Uint8Array, passphrase: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const iv = randomBytes(IV_BYTES);
  const key = await derive(Buffer.from(passphrase, 'utf8'), salt, ROUNDS, KEY_BYTES, 'sha256');
  const cipher = createCipheriv('aes-256-cbc', key, iv);
  const sealed = Buffer.concat([cipher.update(pkcs8), cipher.final()]);
  const derivation = sequence(OID.pbkdf2, sequence(octets(salt), integer(ROUNDS), sequence(OID.hmac_sha256, NULL)));
  const scheme = sequence(OID.aes_256_cbc, octets(iv));
  const der = sequence(sequence(OID.pbes2, sequence(derivation, scheme)), octets(sealed));
  return pemOf('ENCRYPTED PRIVATE KEY', der);
}

/** Each as it stands in DER, tag and length included. */
const OID = {
  pbes2: Buffer.from('06092a864886f70d01050d', 'hex'),
  pbkdf2: Buffer.from('06092a864886f70d01050c', 'hex'),
  hmac_sha256: Buffer.from('06082a864886f70d0209', 'hex'),
  aes_256_cbc: Buffer.from('060960864801650304012a', 'hex'),
};
const NULL = Buffer.from('0500', 'hex');

function sequence(...parts: readonly Buffer[]): Buffer {
  return value(0x30, Buffer.concat(parts));
}

function octets(bytes: Buffer): Buffer {
  return value(0x04, bytes);
}

/** A positive number of at most 31 bits. */
function integer(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  const first = bytes.findIndex((byte, place) => byte !== 0 || place === 3);
  const short = bytes.subarray(first);
  return value(0x02, short.readUInt8(0) < 0x80 ? short : Buffer.concat([Buffer.alloc(1), short]));
}

function value(tag: number, bytes: Buffer): Buffer {
  const length =
    bytes.length < 0x80
      ? [bytes.length]
      : bytes.length < 0x100
        ? [0x81, bytes.length]
        : [0x82, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}
