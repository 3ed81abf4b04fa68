/** Pebble of Debian: a real ACME server, with a resolver that leads every name to this host. What gateways show is put on its port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Probe } from '@meshwork/contract';
import { issueGiven } from '@meshwork/pki/testing';

interface PebbleOptions {
  /** Of each hundred good nonces, how many it refuses. */
  readonly bad_nonces?: number;
  /** By their names: it makes accounts only with one of these. In base64url. */
  readonly eab_keys?: Readonly<Record<string, string>>;
  /** Where it looks for `http-01`. Absent: at a server of this object. */
  readonly http_port?: number;
  readonly tls_port?: number;
}

export class Pebble {
  readonly directory: string;
  /** Of its web server, in PEM. */
  readonly roots: string;
  /** By token, what its own server shows. */
  readonly shown = new Map<string, string>();
  /** What it was asked for by this authority. */
  looked = 0;
  readonly #folder: string;
  readonly #children: readonly ChildProcess[];
  readonly #web: Server;

  private constructor(parts: {
    readonly directory: string;
    readonly roots: string;
    readonly folder: string;
    readonly children: readonly ChildProcess[];
    readonly web: Server;
  }) {
    this.directory = parts.directory;
    this.roots = parts.roots;
    this.#folder = parts.folder;
    this.#children = parts.children;
    this.#web = parts.web;
    parts.web.on('request', ({ url = '' }, answer) => {
      this.looked++;
      const text = this.shown.get(url.replace('/.well-known/acme-challenge/', ''));
      answer.writeHead(text === undefined ? 404 : 200).end(text ?? 'nothing is shown here');
    });
  }

  static async start({ bad_nonces = 5, eab_keys, http_port, tls_port }: PebbleOptions = {}): Promise<Pebble> {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-pebble-'));
    const web = createHttp();
    web.listen(0, '127.0.0.1');
    await once(web, 'listening');
    const own = (web.address() as AddressInfo).port;
    const [port, management, dns, mock, tls] = await freePorts(5);
    const { certificate, key } = await issueGiven({ names: ['IP:127.0.0.1'], ca: true, subject: '/CN=pebble' });
    const file = (name: string) => join(folder, name);
    await writeFile(file('cert.pem'), certificate);
    await writeFile(file('key.pem'), key, { mode: 0o600 });
    const pebble = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: file('cert.pem'),
      privateKey: file('key.pem'),
      httpPort: http_port ?? own,
      tlsPort: tls_port ?? tls,
      ocspResponderURL: '',
      externalAccountBindingRequired: eab_keys !== undefined,
      externalAccountMACKeys: eab_keys ?? {},
    };
    await writeFile(file('config.json'), JSON.stringify({ pebble }));
    const none = ['-http01', '', '-https01', '', '-tlsalpn01', ''];
    const names = ['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${mock}`, '-defaultIPv6', ''];
    const env = {
      ...process.env,
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_WFE_NONCEREJECT: String(bad_nonces),
      PEBBLE_AUTHZREUSE: '0',
    };
    const children = [
      spawn('pebble-challtestsrv', [...none, ...names], { stdio: 'ignore' }),
      spawn('pebble', ['-config', file('config.json'), '-dnsserver', `127.0.0.1:${dns}`], { env, stdio: 'ignore' }),
    ];
    const directory = `https://127.0.0.1:${port}/dir`;
    const made = new Pebble({ directory, roots: certificate, folder, children, web });
    try {
      await made.#answers();
    } catch (error) {
      await made.stop();
      throw error;
    }
    return made;
  }

  /** Plays the gateway: shows what it is asked to, where pebble looks. */
  readonly shows = ({ show_challenge: asked }: Probe) => {
    if (asked === undefined) return { error: 'not here' };
    this.shown.set(asked.token, asked.key_authorization);
    return { show_challenge: {} };
  };

  async stop(): Promise<void> {
    for (const child of this.#children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    this.#web.closeAllConnections();
    this.#web.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      if (await answersAt(this.directory, this.roots)) return;
      await pause(50);
    }
    throw new Error('Pebble does not answer.');
  }
}

function answersAt(url: string, ca: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { ca, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
}

/** Held all at once, so that they differ. */
async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => (server.listening ? undefined : once(server, 'listening'))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
