/** Certificates of clients are asked for wherever connections come in: a shared port, a socket for proxies, behind load balancers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import type { IngressAssignment } from '@meshwork/contract';
import { type GatewayScene, gatewayScene, type Service } from '../../../test/gateway-scene.ts';
import { ingressOf, routeOf } from '../../../test/ingress-section.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { type StreamService, streamService } from '../../../test/stream-service.ts';
import type { Client } from '../../../test/tls-client.ts';

const WWW = 'www-1.example.com';
const OPEN = 'www-2.example.com';
const VAULT = 'www-3.example.com';
const PROXIES = { networks: ['127.0.0.0/8'], header: 'X-Forwarded-For' };

for (const proxy_protocol of [[], ['127.0.9.0/24']]) {
  const title = proxy_protocol.length === 0 ? 'of a gateway' : 'of a gateway behind load balancers';
  describe(`certificates of clients ${title}`, { timeout: 160_000 }, () => {
    let scene: GatewayScene;
    let web: Service;
    let vault: StreamService;
    let ca: Awaited<ReturnType<typeof meshCa>>;
    const chains = new Map<string, string>();
    before(async () => {
      scene = await gatewayScene({ proxy_protocol });
      web = await scene.service('web');
      vault = await streamService('vault', { tls: await scene.certificate(VAULT) });
      ca = await meshCa();
      for (const name of [WWW, OPEN]) chains.set(name, (await scene.certificate(name)).chain);
    });
    after(async () => {
      await vault[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    });

    /** As load balancers and other clients connect. */
    async function ask(servername: string, host: string, client: Client = {}, place = '/'): Promise<string> {
      const from = proxy_protocol.length === 0 ? '127.0.0.1' : '127.0.9.1';
      const socket = connect({ host: '127.0.0.1', port: scene.https_port, localAddress: from });
      if (proxy_protocol.length > 0) socket.write(`PROXY TCP4 203.0.113.9 198.51.100.1 40000 ${scene.https_port}\r\n`);
      const secure = connectTls({ socket, servername, rejectUnauthorized: false, ...client });
      secure.write(
        `GET ${place} HTTP/1.1\r\nHost: ${host}\r\nX-Client-Certificate-Names: spoofed\r\nConnection: close\r\n\r\n`,
      );
      let answer = '';
      secure.setEncoding('utf8').on('data', (piece: string) => {
        answer += piece;
      });
      await once(secure, 'end');
      socket.destroy();
      return /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? answer;
    }

    const targets = () => [routeOf({ targets: [web.target(1)] })];
    const asking = (over: Partial<IngressAssignment>) =>
      ingressOf(1, {
        routes: targets(),
        tls: { chain: chains.get(WWW) ?? null, redirect: true, clients: 'required' },
        ...over,
      });
    const open = () => ingressOf(2, { routes: targets(), tls: { chain: chains.get(OPEN) ?? null, redirect: true } });
    const through = () =>
      ingressOf(3, {
        kind: 'tls',
        routes: [routeOf({ protocol: 'tcp', check: { kind: 'none' }, targets: [vault.target(3)] })],
      });

    for (const proxies of [null, PROXIES]) {
      for (const shared of [false, true]) {
        it(`are asked for ${proxies === null ? 'without' : 'with'} proxies, on a port of ${shared ? 'several' : 'one'}`, async () => {
          const section = [asking({ proxies }), open(), ...(shared ? [through()] : [])];
          await scene.server.serve({ section, ca: ca.root, lists: ca.lists().join('') });
          const [client, other] = [ca.client({ names: { dns: ['git-1.mesh'] } }), await meshCa()];
          assert.equal(await ask(WWW, WWW, client), '200');
          assert.equal(web.requests.at(-1)?.headers['x-client-certificate-names'], 'DNS:git-1.mesh');
          assert.equal(await ask(OPEN, OPEN, client), '200');
          assert.equal(web.requests.at(-1)?.headers['x-client-certificate-names'], undefined);
          const asked = web.requests.length;
          assert.equal(await ask(WWW, WWW), '403');
          assert.equal(await ask(WWW, WWW, other.client({ names: { dns: ['git-1.mesh'] } })), '403');
          assert.equal(await ask(OPEN, WWW, client), '421');
          assert.equal(
            await ask(OPEN, OPEN, client, `https://${WWW}/`),
            '421',
            'the name that counts is that of the place',
          );
          assert.equal(web.requests.length, asked);
        });
      }
    }
  });
}
