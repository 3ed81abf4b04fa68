/** Passes as the coordinator makes them: see docs/decisions/0083. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { ingressId } from './ingress-section.ts';

export interface MadePass {
  readonly ingress: string;
  readonly hostname: string;
  readonly person: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly state: string;
  readonly made_ms: number;
}

export function passMaker() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    public_key: publicKey.export({ format: 'jwk' }).x ?? '',
    make(over: Partial<MadePass> & Pick<MadePass, 'state'>): string {
      const claims: MadePass = {
        ingress: ingressId(1),
        hostname: 'www-1.example.com',
        person: 'user_01jcqv5s3ee3xv9k7d0w8m2b4n',
        user: 'ada',
        groups: [],
        made_ms: Date.now(),
        ...over,
      };
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`;
    },
  };
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** What a browser sends back of what it was given. */
export function cookieOf(set: readonly string[]): string {
  return set
    .filter((one) => !one.endsWith('Max-Age=0'))
    .map((one) => one.split(';')[0] ?? '')
    .join('; ');
}
