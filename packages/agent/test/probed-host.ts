/** A host of the mesh in a namespace, with a `Prober` that runs in it. A cable stands for the tunnel. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Probe, ProbeFlow, ProbeResult } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { type Namespace, namespace } from './namespaces.ts';

export class ProbedHost implements AsyncDisposable {
  readonly space: Namespace;
  readonly number: number;
  #child: ChildProcess | undefined;
  #results: ProbeResult[] = [];
  #came = Promise.withResolvers<void>();

  private constructor(space: Namespace, number: number) {
    this.space = space;
    this.number = number;
  }

  static async make(number: number): Promise<ProbedHost> {
    const space = await namespace(`p${number}`);
    await space.run('sysctl', ['-qw', 'net.ipv4.ping_group_range=0 2147483647']); // as on every Debian
    return new ProbedHost(space, number);
  }

  /** In the mesh. */
  address(family: 4 | 6 = 4): string {
    return family === 4 ? `100.64.0.${this.number}` : `fd64::${this.number}`;
  }

  /** Gives its end of the cable its addresses. */
  async join(): Promise<void> {
    const [four, six] = [this.address(4), this.address(6)];
    await this.space.ip(
      `address add ${four}/24 dev ${MESH_INTERFACE}`,
      `address add ${six}/64 dev ${MESH_INTERFACE} nodad`,
      `link set dev ${MESH_INTERFACE} up`,
    );
  }

  /** Starts the prober, or another one after it was killed. It has what an agent has. */
  async start(flows: 'on' | 'off' = 'on'): Promise<void> {
    const program = [join(import.meta.dirname, 'probe-child.ts'), flows, this.address(4), this.address(6)];
    const least = ['--bounding-set=-all,+net_admin', '--inh-caps=-all', '--no-new-privs'];
    const child = this.space.spawn('setpriv', [...least, process.execPath, ...program]);
    if (child.stdout === null) throw new Error('it has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#results.push(JSON.parse(line) as ProbeResult);
      const came = this.#came;
      this.#came = Promise.withResolvers<void>();
      came.resolve();
    });
    this.#child = child;
    await this.result('ready');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it as an agent ends that is asked to. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  }

  begin(probe: Probe): void {
    this.#child?.stdin?.write(`${JSON.stringify(probe)}\n`);
  }

  /** The next one of a probe. */
  async result(id: string): Promise<ProbeResult> {
    for (;;) {
      const found = this.#results.find((one) => one.id === id);
      if (found !== undefined) {
        this.#results = this.#results.filter((one) => one !== found);
        return found;
      }
      await this.#came.promise;
    }
  }

  ask(probe: Probe): Promise<ProbeResult> {
    this.begin(probe);
    return this.result(probe.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.space[Symbol.asyncDispose]();
  }
}

let count = 0;
export function newId(): string {
  count += 1;
  return `probe-${String(count).padStart(8, '0')}`;
}

export function flowBetween(
  from: ProbedHost,
  to: ProbedHost,
  rest: Partial<ProbeFlow> = {},
  family: 4 | 6 = 4,
): ProbeFlow {
  const port = rest.protocol === 'icmp' ? 0 : 7;
  const ends = { from: from.address(family), to: to.address(family) };
  return { ...ends, protocol: 'tcp', port, source_port: port === 0 ? 0 : 40_000 + count, ...rest };
}
