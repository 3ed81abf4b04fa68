/** A certificate that an operator brought: it ends soon, and an ingress shows it on gateways that have not proven it yet. */
import { givenAuthority } from '@meshwork/panel/testing';
import type { Scene } from './scene.ts';

const HOST = 'checkout.example.net';
const DAY_MS = 86_400_000;

const made = new WeakMap<Scene, Promise<string>>();

/** Made once in a scene, though several visits want it at once. Answers with its id. */
export function aGivenCertificate(scene: Scene): Promise<string> {
  const there = made.get(scene) ?? make(scene);
  made.set(scene, there);
  return there;
}

async function make({ client }: Scene): Promise<string> {
  const { issue } = await givenAuthority('Example Trust');
  const names = [`DNS:${HOST}`, 'DNS:www.checkout.example.net', 'DNS:*.checkout.example.net'];
  const [from_ms, to_ms] = [Date.now() - 80 * DAY_MS, Date.now() + 10 * DAY_MS];
  const { certificate, key } = await issue({ names, from_ms, to_ms });
  const { body } = await client.call('given_certificates.create', {
    body: { name: 'checkout', chain: certificate, private_key: key },
  });
  await client.call('ingress.create', {
    body: {
      ...{ name: 'checkout', hostname: HOST, service: 'checkout', gateways: ['tag:role:gateway'] },
      tls: { certificate: body.id },
    },
  });
  return body.id;
}
