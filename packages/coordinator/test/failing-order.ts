import type { Scope } from '@meshwork/contract';
import type { TestCoordinator } from './harness.ts';

/** Id of an order with an authority that the coordinator may not ask, so that it has failed. */
export async function failingOrder(mesh: TestCoordinator, scope: Scope): Promise<string> {
  const authority = { name: 'inside', directory: 'https://127.0.0.1/directory', agree_terms: true, scope };
  await mesh.ask('POST', '/v1/outside-authorities', { body: authority });
  const hostname = 'ordered.example.net';
  const about = { name: 'ordered', hostname, service: 'web', gateways: ['tag:role:gateway'], scope };
  await mesh.ask('POST', '/v1/ingress', { body: { ...about, tls: { certificate: 'inside' } } });
  const path = `/v1/certificate-orders/${hostname}`;
  await mesh.until(async () => (await mesh.ask<{ state?: string }>('GET', path)).body.state === 'failing');
  return (await mesh.ask<{ id: string }>('GET', path)).body.id;
}
