/** What an ingress lets through, as visitors notice it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { BodyOf, Operations } from '@meshwork/contract';
import { until } from '../until.ts';
import type { GatewayScene } from './gateway-scene.ts';
import type { Entrance, Page } from './visitor-calls.ts';

const RULED = 'ruled.example.net';

export function testsOfRules(scene: () => GatewayScene): void {
  describe('with rules', () => {
    let mesh: GatewayScene;
    let entrance: Entrance;
    let outside: string;
    before(async () => {
      mesh = scene();
      entrance = await mesh.entrance(RULED, ['gw-1']);
      outside = mesh.scene.lab.node('outside').address;
      await mesh.serve({ name: 'ruled', hostname: RULED, service: 'api', gateways: ['node:gw-1'] });
    });
    after(async () => {
      await mesh.scene.client.call('ingress.delete', { params: { id: 'ruled' } });
    });

    /** Changes it, and waits until a visitor sees it. */
    async function change(
      body: BodyOf<Operations['ingress.update']>,
      isSeen: (page: Page) => boolean,
      path = '/',
      by = entrance,
    ): Promise<Page> {
      await mesh.scene.client.call('ingress.update', { params: { id: 'ruled' }, body });
      let page: Page | undefined;
      await until(
        async () => {
          page = await mesh.visitors.get(by, path);
          return isSeen(page);
        },
        () => `${JSON.stringify(body)}: ${JSON.stringify(page)}`,
      );
      return page as Page;
    }
    const isOpen = ({ status }: Page) => status === 200;

    test('refuses networks, on all paths or on one', async () => {
      const networks = { deny: [`${outside}/32`] };
      await change({ traffic: { networks } }, ({ status }) => status === 403);
      await change({ traffic: { networks: { deny: [] } } }, isOpen);
      const routes = [{ path: '/admin', service: 'api', traffic: { networks: { allow: ['192.0.2.0/24'] } } }];
      await change({ routes }, ({ status }) => status === 403, '/admin/x');
      // A worker of the configuration before the last may answer once more, and refuses all.
      await until(
        async () => isOpen(await mesh.visitors.get(entrance, '/')),
        () => 'the other paths are open',
      );
      assert.equal((await mesh.visitors.get(entrance, '/admin/x')).status, 403);
      await change({ routes: [] }, isOpen, '/admin/x');
    });

    test('takes no more requests of one address than it should', async () => {
      await change({ traffic: { limits: { requests: { rate: '1/m', burst: 3 } } } }, ({ status }) => status === 429);
      const { headers } = await mesh.visitors.get(entrance, '/');
      assert.ok(Number(headers['retry-after']) > 0, JSON.stringify(headers));
      await change({ traffic: { limits: { requests: null } } }, isOpen);
    });

    test('sets headers on both ways, and removes what the service says of itself', async () => {
      const traffic = {
        request_headers: [
          { name: 'X-Env', value: 'production $1' },
          { name: 'User-Agent', value: null },
        ],
        response_headers: [
          { name: 'Strict-Transport-Security', value: 'max-age=63072000' },
          { name: 'Content-Type', value: 'application/vnd.shop+json' },
        ],
      };
      const page = await change({ traffic }, ({ headers }) => headers['strict-transport-security'] !== undefined);
      assert.equal(page.headers['content-type'], 'application/vnd.shop+json');
      await mesh.visitors.get(entrance, '/', { headers: { 'user-agent': 'spy', 'x-env': 'test' } });
      const { headers } = await mesh.service('api-1').counts();
      assert.equal(headers['x-env'], 'production $1');
      assert.equal(headers['user-agent'], undefined);
      await change({ traffic: { request_headers: [], response_headers: [] } }, isOpen);
    });

    test('refuses a body that is too large', async () => {
      await mesh.scene.client.call('ingress.update', {
        params: { id: 'ruled' },
        body: { traffic: { max_body_bytes: 1000 } },
      });
      await until(
        async () => (await mesh.visitors.get(entrance, '/', { upload: 1001 })).status === 413,
        () => 'a body of 1001 bytes is refused',
      );
      assert.equal((await mesh.visitors.get(entrance, '/', { upload: 1000 })).status, 200);
      await mesh.scene.client.call('ingress.update', {
        params: { id: 'ruled' },
        body: { traffic: { max_body_bytes: null } },
      });
    });

    test('sends people elsewhere', async () => {
      const redirects = [
        { path: '/old', to: '/new', status: 301 as const, keep: true },
        { path: '/docs', to: 'https://docs.example.net/start', status: 302 as const, keep: false },
      ];
      const page = await change({ redirects }, ({ status }) => status === 301, '/old/a%20b?c=d');
      assert.match(page.headers.location as string, /^(?:https:\/\/ruled\.example\.net)?\/new\/a%20b\?c=d$/);
      const other = await mesh.visitors.get(entrance, '/docs/x');
      assert.deepEqual([other.status, other.headers.location], [302, 'https://docs.example.net/start']);
      await change({ redirects: [] }, isOpen, '/old');
    });

    test('shows a page while it is in maintenance, and lets those through who work on it', async () => {
      const message = 'Back at noon — we change the “database” <b>now</b>';
      const maintenance = { message, retry_after_s: 600, allow: [] };
      await change({ maintenance }, ({ status }) => status === 503);
      const page = await mesh.visitors.get(entrance, '/', { headers: { accept: 'text/html' } });
      assert.equal(page.headers['retry-after'], '600');
      assert.match(page.body, /Back at noon — we change/);
      assert.doesNotMatch(page.body, /<b>now/);
      await change({ maintenance: { ...maintenance, allow: [`${outside}/32`] } }, isOpen);
      await change({ maintenance: null }, isOpen);
    });

    test('asks clients for certificates, and refuses one as soon as it is revoked', async () => {
      await change({ tls: { clients: 'required' } }, ({ status }) => status === 403);
      const known = { ...entrance, client: await mesh.certificateOf('outside') };
      const spoofed = {
        headers: { 'x-client-certificate-spiffe-id': 'spoofed', 'x-client-certificate-names': 'spoofed' },
      };
      assert.equal((await mesh.visitors.get(known, '/', spoofed)).status, 200);
      const { headers } = await mesh.service('api-1').counts();
      const spiffe = headers['x-client-certificate-spiffe-id'] as string;
      assert.match(spiffe, /^spiffe:\/\/[0-9a-f]+\.mesh\/node\/outside$/);
      assert.match(headers['x-client-certificate-names'] as string, /^DNS:outside\.mesh, IP:[0-9.]+, .*URI:spiffe:/);
      const names = [spiffe.replace('outside', 'web-1')];
      await change({ tls: { client_names: names } }, ({ status }) => status === 403, '/', known);
      const named = { ...entrance, client: await mesh.certificateOf('web-1') };
      assert.equal((await mesh.visitors.get(named, '/')).status, 200);
      await change({ tls: { client_names: [] } }, isOpen, '/', known);
      await mesh.scene.client.call('ca.revoke_all', {
        body: { serial: headers['x-client-certificate-serial'] as string, reason: 'superseded' },
      });
      await until(
        async () => (await mesh.visitors.get(known, '/')).status === 403,
        () => 'the certificate is refused',
      );
      await change({ tls: { clients: 'none' } }, isOpen);
    });

    test('believes only listed proxies about who asks', async () => {
      const spoofed = { headers: { 'x-forwarded-for': '198.51.100.7' } };
      const proxies = { networks: [`${outside}/32`], header: 'X-Forwarded-For' };
      await mesh.scene.client.call('ingress.update', { params: { id: 'ruled' }, body: { proxies } });
      const seen = async () => {
        await mesh.visitors.get(entrance, '/', spoofed);
        return (await mesh.service('api-1').counts()).headers['x-forwarded-for'];
      };
      await until(
        async () => (await seen()) === '198.51.100.7',
        () => 'the proxy is believed',
      );
      await mesh.scene.client.call('ingress.update', { params: { id: 'ruled' }, body: { proxies: null } });
      await until(
        async () => (await seen()) === outside,
        () => 'the proxy is not believed any more',
      );
    });
  });
}
