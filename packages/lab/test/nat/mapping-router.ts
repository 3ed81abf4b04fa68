import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lab } from '../../src/namespaces/lab.ts';
import type { Place } from '../../src/namespaces/node/place.ts';
import { until } from '../until.ts';

/** Of the router outside. None for documentation, as others in a lab: miniupnpd takes those for private, and maps nothing. */
export const OUTSIDE = '6.0.0.10';
/** As miniupnpd wants to find it. */
const CHAINS = `
table inet upnp {
  chain forward { type filter hook forward priority 10; jump maps; }
  chain prerouting { type nat hook prerouting priority dstnat; jump pre; }
  chain postrouting { type nat hook postrouting priority srcnat - 10; jump post; }
  chain maps { }
  chain pre { }
  chain post { }
}
table inet knocks {
  set seen { type inet_service; flags dynamic; }
  chain pre { type filter hook prerouting priority raw; ip daddr ${OUTSIDE} meta l4proto udp add @seen { udp sport }; }
}
insert rule ip router out oifname "eth0" snat to ${OUTSIDE} fully-random
`;
const CONFIGURED = [
  'ext_ifname=eth0',
  `ext_ip=${OUTSIDE}`,
  'listening_ip=lan',
  'secure_mode=yes',
  'upnp_table_name=upnp',
  'upnp_nat_table_name=upnp',
  'upnp_forward_chain=maps',
  'upnp_nat_chain=pre',
  'upnp_nat_postrouting_chain=post',
  'uuid=7c1f4a52-5a0b-4c53-9d0c-1f4fd2d6f3b1',
  'allow 1024-65535 0.0.0.0/0 1024-65535',
];
const PCP_OR_NAT_PMP = 5351;

type Spoken = 'PCP' | 'NAT-PMP' | 'UPnP';

/**
 * The router of a site with miniupnpd, which homes have. It shows every destination another port, so that packets come in through a
 * mapping or not at all.
 */
export class MappingRouter implements AsyncDisposable {
  readonly #place: Place;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #said = '';

  private constructor(place: Place, folder: string) {
    [this.#place, this.#folder] = [place, folder];
  }

  /** `peers`: nodes outside of all sites, which are to find it. */
  static async prepare(lab: Lab, site: string, folder: string, peers: readonly string[]): Promise<MappingRouter> {
    const place = lab.place(`nat-${site}`);
    await place.exec('ip', ['address', 'add', `${OUTSIDE}/32`, 'dev', 'eth0']);
    await place.exec('nft', ['-f', '-'], { input: CHAINS });
    const via = lab.plan.sites.find(({ name }) => name === site)?.four?.address ?? '';
    for (const name of ['net', ...peers]) await lab.place(name).exec('ip', ['route', 'add', OUTSIDE, 'via', via]);
    return new MappingRouter(place, folder);
  }

  /** Starts it as one that speaks this protocol, and none that would be tried before. Mappings of an earlier start are gone. */
  async start(spoken: Spoken): Promise<void> {
    await this.stop();
    for (const chain of ['maps', 'pre', 'post']) await this.#nft('flush', 'chain', 'inet', 'upnp', chain);
    await this.#place.exec('nft', ['-f', '-'], { input: unspoken(spoken) });
    const config = join(this.#folder, 'miniupnpd.conf');
    const isYes = (is: boolean) => (is ? 'yes' : 'no');
    const switches = [`enable_natpmp=${isYes(spoken !== 'UPnP')}`, `enable_upnp=${isYes(spoken === 'UPnP')}`];
    await writeFile(config, `${[...CONFIGURED, ...switches].join('\n')}\n`);
    this.#said = '';
    const args = ['-d', '-f', config, '-P', join(this.#folder, 'miniupnpd.pid')];
    const child = this.#place.spawn('miniupnpd', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-20_000);
      });
    }
    const socket = spoken === 'UPnP' ? ['-Hlun', 'sport = 1900'] : ['-Hlun', `sport = ${PCP_OR_NAT_PMP}`];
    await until(
      async () => (await this.#place.exec('ss', socket)) !== '',
      () => `miniupnpd listens: ${this.#said}`,
    );
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** The port outside of each mapping that packets are passed on by. */
  async ports(): Promise<readonly number[]> {
    const text = await this.#nft('list', 'chain', 'inet', 'upnp', 'pre');
    return [...text.matchAll(/dport (\d+) .*dnat/g)].map(([, port]) => Number(port));
  }

  async untilPorts(expected: readonly number[]): Promise<void> {
    let found: readonly number[] = [];
    await until(
      async () => {
        found = await this.ports();
        return found.join() === expected.join();
      },
      () => `the router maps ${expected.join() || 'nothing'}, and not ${found.join()}: ${this.#said}`,
    );
  }

  /** A datagram from this port has come to it, whatever became of it. */
  async untilKnocked(port: number): Promise<void> {
    await until(
      async () => new RegExp(`\\b${port}\\b`).test(await this.#nft('list', 'set', 'inet', 'knocks', 'seen')),
      () => `a datagram from port ${port} comes to the router`,
    );
  }

  async #nft(...args: readonly string[]): Promise<string> {
    return await this.#place.exec('nft', args);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** PCP and NAT-PMP share a port: what begins with the version of PCP is dropped. */
function unspoken(spoken: Spoken): string {
  const drop = spoken === 'NAT-PMP' ? `udp dport ${PCP_OR_NAT_PMP} @th,64,8 2 drop` : '';
  return [
    'add table inet spoken',
    'delete table inet spoken',
    'table inet spoken {',
    'chain in {',
    'type filter hook input priority 0;',
    drop,
    '}',
    '}',
    '',
  ].join('\n');
}
