/** A host with an /etc and a /run of its own, an interface `mesh0` with the addresses of a node, and an agent that keeps its names. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { HeartbeatReply, Peer } from '@meshwork/contract';
import type { NamesCall } from './names-child.ts';
import { type Namespace, namespace } from './namespaces.ts';

/** Where `tools/system-packages.ts` unpacks what is not to be installed. */
const UNPACKED = '/var/cache/meshwork-tests';
export const SELF = { address: '100.64.0.1', address6: 'fd64::1' };
/** A server that the host had before, which knows `outside.example` and `deep.shop.example.net` alone. */
export const OTHER_SERVER = '10.99.0.1';

interface Diagnosis {
  readonly resolved_by: string;
  readonly not_by: readonly string[];
  readonly answers_at: readonly string[];
  readonly problem: string | null;
  readonly count: number;
}

export class NamedHost implements AsyncDisposable {
  readonly place: Namespace;
  #agent: ChildProcess | undefined;
  #lines: Interface | undefined;

  private constructor(place: Namespace) {
    this.place = place;
  }

  /** `packages`: whose files it has, unpacked over its own. */
  static async start(packages: readonly string[] = []): Promise<NamedHost> {
    const host = new NamedHost(await namespace());
    try {
      await host.#prepare(packages);
    } catch (error) {
      await host[Symbol.asyncDispose]();
      throw error;
    }
    return host;
  }

  /** Over a private layer: nothing that programs write here reaches the machine. */
  async #prepare(packages: readonly string[]): Promise<void> {
    const { place } = this;
    const layers = place.run_folder;
    const sh = (script: string) => place.run('sh', ['-euc', script]);
    await sh(`mount -t tmpfs none ${layers}; mkdir ${layers}/etc ${layers}/etc-work ${layers}/usr ${layers}/var`);
    for (const name of packages) {
      await sh(`cd ${UNPACKED}/${name}; for part in bin sbin lib; do
        if [ -d $part ]; then cp -a $part ${layers}/usr/; fi; done
        if [ -d usr ]; then cp -a usr/. ${layers}/usr/; fi; if [ -d etc ]; then cp -a etc/. ${layers}/etc/; fi`);
    }
    await sh(`mount -t overlay etc -o lowerdir=/etc,upperdir=${layers}/etc,workdir=${layers}/etc-work /etc
      mount -t overlay usr -o lowerdir=${layers}/usr:/usr /usr
      mkdir -p ${layers}/run; mount --bind ${layers}/run /run`);
    await place.ip(
      'link add mesh0 type veth peer name mesh1',
      `addr add ${SELF.address}/32 dev mesh0`,
      `addr add ${SELF.address6}/128 dev mesh0 nodad`,
      `addr add ${OTHER_SERVER}/32 dev lo`,
      'link set mesh1 up',
      'link set mesh0 up',
    );
    await this.write('/etc/nsswitch.conf', 'hosts: files dns\n');
    await this.write('/etc/hosts', '127.0.0.1 localhost\n');
    await this.#serveOutside();
  }

  /** Its own: not to be found by the name of a program. */
  async #serveOutside(): Promise<void> {
    const library = JSON.stringify(import.meta.resolve('dns-packet'));
    const server = this.place.script(`
      import dns from ${library};
      import { createSocket } from 'node:dgram';
      const socket = createSocket('udp4');
      socket.on('message', (raw, from) => {
        const { id, questions: [question] } = dns.decode(raw);
        const isKnown = ['outside.example', 'deep.shop.example.net'].includes(question.name);
        const answers = isKnown && question.type === 'A' ? [{ type: 'A', name: question.name, data: '192.0.2.7' }] : [];
        socket.send(dns.encode({ type: 'response', id, flags: isKnown ? 0x180 : 0x183, questions: [question], answers }), from.port, from.address);
      });
      socket.bind(53, '${OTHER_SERVER}', () => console.log('ready'));
      process.stdin.on('end', () => process.exit()).resume();
    `);
    await once(server.stdout ?? assert.fail(), 'data');
  }

  async write(path: string, text: string): Promise<void> {
    await this.place.run('sh', ['-euc', 'cat > "$1"', '', path], { input: text });
  }

  read(path: string): Promise<string> {
    return this.place.run('cat', [path]);
  }

  /** As any program looks a name up. Undefined: it is not found. */
  async lookUp(name: string): Promise<readonly string[] | undefined> {
    const found = await this.place.run('getent', ['ahosts', name]).catch(() => undefined);
    if (found === undefined) return undefined;
    const lines = found.trim().split('\n');
    return [...new Set(lines.map((line) => line.split(' ', 1)[0] ?? ''))];
  }

  async startAgent(by: 'dns' | 'hosts' = 'dns'): Promise<void> {
    const child = join(import.meta.dirname, 'names-child.ts');
    this.#agent = this.place.spawn(process.execPath, [child, this.place.run_folder, by]);
    this.#lines = createInterface({ input: this.#agent.stdout ?? assert.fail() });
  }

  /** What is sent with the first answer: itself, one peer with a service, and records. */
  async takeMesh(more: Partial<HeartbeatReply> = {}): Promise<void> {
    const addresses = { address: `${SELF.address}/32`, address6: `${SELF.address6}/128` };
    const self = { name: 'a', ...addresses, networks: ['100.64.0.0/10', 'fd64::/64'], tags: [], routes: [] };
    const dns = {
      records: [
        { name: 'wiki', cname: 'web-1.mesh' },
        { name: '*.apps', addresses: ['10.0.0.1'] },
      ],
      routing_domains: [{ domain: 'corp.example', resolvers: ['10.98.0.1'] }],
    };
    const acl = { full: [] };
    const reply = {
      self: { ...self, state: 'active' as const },
      peers: { full: [peer('web-1', 2)] },
      acl,
      dns,
      ...more,
    };
    await this.ask({ call: 'take', reply });
  }

  async diagnose(): Promise<Diagnosis> {
    return ((await this.ask({ call: 'diagnose' })) as { names: Diagnosis }).names;
  }

  async ask(call: NamesCall): Promise<unknown> {
    const lines = this.#lines ?? assert.fail('no agent runs');
    this.#agent?.stdin?.write(`${JSON.stringify(call)}\n`);
    const waiting = new AbortController();
    const either = ['line', 'close'].map((event) => once(lines, event, { signal: waiting.signal }));
    const [line] = await Promise.race(either).finally(() => waiting.abort());
    await Promise.allSettled(either);
    assert.equal(typeof line, 'string', 'the agent ended');
    const { result, error } = JSON.parse(String(line)) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return result ?? null;
  }

  async killAgent(): Promise<void> {
    const ended = once(this.#agent ?? assert.fail(), 'exit');
    this.#agent?.kill('SIGKILL'); // `nsenter` has become it
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.place[Symbol.asyncDispose]();
  }
}

export function peer(name: string, last: number): Peer {
  return {
    id: `node_01jcqv8h3kf1x9r7w5t2m6d${String(last).padStart(3, '0')}`,
    name,
    wireguard_key: `${'A'.repeat(43)}=`,
    address: `100.64.0.${last}/32`,
    address6: `fd64::${last.toString(16)}/128`,
    endpoints: [],
    relay: null,
    services: [{ name: 'web', protocol: 'tcp', port: 8080 }],
  };
}
