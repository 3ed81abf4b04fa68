/**
 * A node behind a NAT, with a real relay outside of it, each in a network namespace:
 *
 *   node 192.168.77.2 ── 192.168.77.1 router 203.0.113.1 ── 203.0.113.9 coturn
 *        2001:db8:1::2                (IPv6: routed)          2001:db8:9::9
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CHILD = join(import.meta.dirname, 'endpoint-child.ts');
const RELAY_PORT = 3478;

interface Said {
  readonly mapped?: readonly { address: string; port: number; keeps_port: boolean }[];
  readonly endpoints: readonly string[];
  readonly relays: readonly { name: string; rtt_ms: number }[];
  readonly problem: string | null;
}

export class NatLab {
  readonly #id = `${process.pid}${randomBytes(2).toString('hex')}`;
  readonly node = `epn${this.#id}`;
  readonly router = `epr${this.#id}`;
  readonly outside = `epo${this.#id}`;
  readonly #processes: ChildProcess[] = [];
  #folder: string | undefined;

  async build(): Promise<void> {
    const { node, router, outside } = this;
    for (const place of [node, router, outside]) await run('ip', ['netns', 'add', place]);
    for (const line of [
      `link add lan0 netns ${node} type veth peer name lan0 netns ${router}`,
      `link add out0 netns ${router} type veth peer name out0 netns ${outside}`,
    ]) {
      await run('ip', line.split(' '));
    }
    await this.#address(node, 'lan0', '192.168.77.2/24', '2001:db8:1::2/64');
    await this.#address(router, 'lan0', '192.168.77.1/24', '2001:db8:1::1/64');
    await this.#address(router, 'out0', '203.0.113.1/24', '2001:db8:9::1/64');
    await this.#address(outside, 'out0', '203.0.113.9/24', '2001:db8:9::9/64');
    await this.ip(node, 'route add default via 192.168.77.1');
    await this.ip(node, '-6 route add default via 2001:db8:1::1');
    await this.ip(outside, '-6 route add default via 2001:db8:9::1');
    await this.#in(router, 'sysctl', ['-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1']);
    // Seen as /etc/hosts by whatever `ip netns exec` runs there.
    await mkdir(`/etc/netns/${node}`, { recursive: true });
    await writeFile(`/etc/netns/${node}/hosts`, '203.0.113.9 relay.test\n2001:db8:9::9 relay.test\n');
    await this.translate();
    await this.#startRelay();
  }

  /** Ports stay as they are, except this one. What was translated before goes on as it was: the kernel remembers flows. */
  async translate(port?: { readonly from: number; readonly to: number }): Promise<void> {
    const changing = port === undefined ? '' : `udp sport ${port.from} masquerade to :${port.to}`;
    const chain = `type nat hook postrouting priority 100\n oifname != "out0" accept\n ${changing}\n masquerade`;
    const table = `add table ip nat\ndelete table ip nat\ntable ip nat {\n chain post {\n ${chain}\n }\n}\n`;
    const running = run('ip', ['netns', 'exec', this.router, 'nft', '-f', '-']);
    running.child.stdin?.end(table);
    await running;
  }

  async ip(place: string, line: string): Promise<void> {
    await run('ip', ['-n', place, ...line.split(' ')]);
  }

  /** A finder in the node's place, for a WireGuard on that port. Each call makes it do one thing, and answers with what it then says. */
  finder(host: string, port = 51_820): (word: 'probe' | 'take' | 'look') => Promise<Said> {
    const relay = JSON.stringify({ name: 'fra-1', host, port: RELAY_PORT });
    const child = spawn('ip', ['netns', 'exec', this.node, process.execPath, CHILD, relay, String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#processes.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return async (word) => {
      child.stdin.write(`${word}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error('the finder ended');
      return JSON.parse(value) as Said;
    };
  }

  /** Also after half a `build`. */
  async remove(): Promise<void> {
    for (const child of this.#processes) await ended(child);
    const { stdout: there } = await run('ip', ['netns', 'list']);
    for (const place of [this.node, this.router, this.outside]) {
      if (there.includes(place)) await run('ip', ['netns', 'delete', place]);
    }
    await rm(`/etc/netns/${this.node}`, { recursive: true, force: true });
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #startRelay(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'meshwork-stun-'));
    const flags = ['--stun-only', '--fingerprint', '--no-tls', '--no-dtls', '--no-tcp', '--no-cli', '--simple-log'];
    const places = ['--listening-ip=203.0.113.9', '--listening-ip=2001:db8:9::9', `--listening-port=${RELAY_PORT}`];
    const files = ['--log-file=stdout', `--db=${this.#folder}/db`, `--pidfile=${this.#folder}/pid`];
    const args = ['netns', 'exec', this.outside, 'turnserver', '-n', ...flags, ...places, ...files];
    this.#processes.push(spawn('ip', args, { stdio: 'ignore' }));
  }

  async #address(place: string, link: string, four: string, six: string): Promise<void> {
    await this.ip(place, `addr add ${four} dev ${link}`);
    await this.ip(place, `addr add ${six} dev ${link} nodad`);
    await this.ip(place, `link set ${link} up`);
  }

  async #in(place: string, command: string, args: readonly string[]): Promise<void> {
    await run('ip', ['netns', 'exec', place, command, ...args]);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL'); // `ip netns exec` becomes the program, so this is the program
  await exit;
}
