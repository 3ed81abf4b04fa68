/** An outside authority that cannot be reached, as nothing listens there, and an ingress that waits for a certificate of it. */
import type { Scene } from './scene.ts';
import { until } from './until.ts';

const HOST = 'market.example.net';

interface Outside {
  readonly authority: string;
  readonly ingress: string;
}

const made = new WeakMap<Scene, Promise<Outside>>();

/** Made once in a scene, though several visits want it at once. */
export function anOutsideAuthority(scene: Scene): Promise<Outside> {
  const there = made.get(scene) ?? make(scene);
  made.set(scene, there);
  return there;
}

async function make({ client }: Scene): Promise<Outside> {
  const scope = { team: 'platform', surface: '*', environment: 'production' };
  const { body: authority } = await client.call('outside_authorities.create', {
    body: {
      ...{ name: 'company', directory: 'https://127.0.0.1:9/directory', agree_terms: true, scope },
      ...{ contacts: ['ops@example.net'], eab_key_id: 'kid-7', eab_key: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajV' },
    },
  });
  const { body: ingress } = await client.call('ingress.create', {
    body: {
      ...{ name: 'market', hostname: HOST, service: 'git-http', gateways: ['tag:role:gateway'], scope },
      tls: { certificate: 'company' },
    },
  });
  await until('the account could not be made, and the order waits', async () => {
    const { account } = (await client.call('outside_authorities.show', { params: { id: authority.id } })).body;
    const { items } = (await client.call('certificate_orders.list')).body;
    return account.problem !== null && items.some(({ hostname, problem }) => hostname === HOST && problem !== null);
  });
  return { authority: authority.id, ingress: ingress.id };
}
