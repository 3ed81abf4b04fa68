/**
 * Two nodes with WireGuard and a carrier each, and relays between them, all in namespaces:
 *
 *   one 192.0.2.1 ── 192.0.2.254 hub 198.51.100.254 ── 198.51.100.2 two
 *                    coturn at 203.0.113.9 and 203.0.113.10
 *
 * The nodes reach only the relays, until the hub is made to forward.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Carrier } from '../src/carrier/carrier.ts';
import type { Answer, CarrierEvent, Command, EventName } from '../src/carrier/control/messages.ts';
import { loadTables } from '../src/carrier/tables/load-tables.ts';
import type { Driver } from '../src/engines/wireguard/driver.ts';
import { WIREGUARD_MARK } from '../src/host/own-numbers.ts';
import { type KeyPair, newWireguardKey } from '../src/identity/keys.ts';
import { type Namespace, namespace, until, wire } from './namespaces.ts';
import { type Certificate, certificate } from './tls-server.ts';
import { PORT, setUp } from './wireguard-node.ts';
import { type NewDriver, userspaceDriver } from './wireguard-places.ts';

export const RELAYS = ['203.0.113.9', '203.0.113.10'] as const;
type Relay = (typeof RELAYS)[number];
const [RELAY_PORT, RELAY_TLS_PORT] = [3478, 5349];
const [USER, PASSWORD] = ['node', 'a-secret-of-the-relays'];

export interface CarriedNode {
  readonly number: number;
  readonly name: string;
  readonly place: Namespace;
  readonly key: KeyPair;
  readonly driver: Driver;
  readonly outside: string;
  carrier: Carrier;
  sockets: Answer<'open'>;
}

export class RelayScene implements AsyncDisposable {
  readonly hub: Namespace;
  readonly one: CarriedNode;
  readonly two: CarriedNode;
  readonly #kept: AsyncDisposableStack;
  readonly #authority: Certificate;
  readonly #relays = new Map<Relay, ChildProcess>();

  private constructor(
    made: { hub: Namespace; nodes: [CarriedNode, CarriedNode]; authority: Certificate },
    kept: AsyncDisposableStack,
  ) {
    this.hub = made.hub;
    [this.one, this.two] = made.nodes;
    this.#authority = made.authority;
    this.#kept = kept;
  }

  static async build(newDriver: NewDriver = userspaceDriver): Promise<RelayScene> {
    await using made = new AsyncDisposableStack();
    const hub = made.use(await namespace('hub'));
    for (const address of RELAYS) await hub.ip(`address add ${address}/32 dev lo`);
    const nodes = [
      await carriedNode(made, newDriver, 1, '192.0.2.1'),
      await carriedNode(made, newDriver, 2, '198.51.100.2'),
    ] as [CarriedNode, CarriedNode];
    for (const node of nodes) await connectTo(hub, node);
    const authority = await certificate(hub.run_folder, 'authority', '');
    const scene = new RelayScene({ hub, nodes, authority }, made.move());
    for (const relay of RELAYS) await scene.startRelay(relay);
    return scene;
  }

  /** Whether the nodes reach each other past the relays. */
  async forward(does: boolean): Promise<void> {
    await this.hub.run('sysctl', [
      '-qw',
      `net.ipv4.ip_forward=${does ? 1 : 0}`,
      `net.ipv6.conf.all.forwarding=${does ? 1 : 0}`,
    ]);
  }

  async startRelay(relay: Relay): Promise<void> {
    const folder = join(this.hub.run_folder, relay);
    await mkdir(folder, { recursive: true });
    const { cert_file, key_file } = await certificate(folder, 'relay', `IP:${relay}`, this.#authority);
    const file = join(folder, 'turnserver.conf');
    const lines = [
      `listening-ip=${relay}`,
      `relay-ip=${relay}`,
      `listening-port=${RELAY_PORT}`,
      `tls-listening-port=${RELAY_TLS_PORT}`,
      `cert=${cert_file}`,
      `pkey=${key_file}`,
      `user=${USER}:${PASSWORD}`,
      `userdb=${folder}/db`,
      `pidfile=${folder}/pid`,
      ...['lt-cred-mech', 'realm=mesh', 'fingerprint', 'no-cli', 'no-dtls', 'log-file=stdout', 'simple-log'],
    ];
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const [command = '', ...before] = this.hub.enter;
    const child = spawn(command, [...before, 'turnserver', '-c', file], { stdio: 'ignore' });
    this.#relays.set(relay, child);
    await until(`${relay} listens`, async () => {
      const [udp, tcp] = [await this.hub.run('ss', ['-lnu']), await this.hub.run('ss', ['-lnt'])];
      const isThere = (text: string, port: number) => text.includes(`${relay}:${port} `);
      return isThere(udp, RELAY_PORT) && isThere(tcp, RELAY_PORT) && isThere(tcp, RELAY_TLS_PORT);
    });
  }

  async killRelay(relay: Relay): Promise<void> {
    const child = this.#relays.get(relay);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** What an allocation is made from. */
  wanted(allocation: string, relay: Relay, transport: 'udp' | 'tcp' | 'tls'): Command<'allocate'> {
    return {
      allocation,
      relay: { address: relay, port: transport === 'tls' ? RELAY_TLS_PORT : RELAY_PORT },
      transport,
      ...(transport === 'tls' ? { tls: { ca: this.#authority.cert } } : {}),
      credentials: { username: USER, password: PASSWORD },
      permit: [...RELAYS],
    };
  }

  /** Both nodes get an allocation with this name, and send to each other through them, only or beside `also`. */
  async connect(allocation: string, relay: Relay, transport: 'udp' | 'tcp' | 'tls'): Promise<void> {
    const { one, two } = this;
    const first = await one.carrier.ask('allocate', this.wanted(allocation, relay, transport));
    const second = await two.carrier.ask('allocate', this.wanted(allocation, relay, transport));
    await setWays(one, two, [{ via: allocation, to: second.relayed }]);
    await setWays(two, one, [{ via: allocation, to: first.relayed }]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const relay of RELAYS) await this.killRelay(relay);
    for (const { carrier } of [this.one, this.two]) carrier.close();
    await this.#kept.disposeAsync();
  }
}

async function connectTo(hub: Namespace, { number, place, outside }: CarriedNode): Promise<void> {
  const link = `n${number}`;
  const gateway = outside.replace(/\d+$/, '254');
  await wire(place, hub, ['out0', link]);
  await hub.ip(
    `address add ${gateway}/24 dev ${link}`,
    `address add 2001:db8:${number}::254/64 dev ${link} nodad`,
    `link set ${link} up`,
  );
  await place.ip(
    `address add ${outside}/24 dev out0`,
    `address add ${outsideSix({ number })}/64 dev out0 nodad`,
    'link set out0 up',
    `route add default via ${gateway}`,
    `route add ::/0 via 2001:db8:${number}::254`,
  );
}

export function outsideSix({ number }: Pick<CarriedNode, 'number'>): string {
  return `2001:db8:${number}::${number}`;
}

async function carriedNode(made: AsyncDisposableStack, newDriver: NewDriver, number: number, outside: string) {
  const place = made.use(await namespace(`c${number}`));
  const [key, driver] = [newWireguardKey(), await newDriver(place)];
  await driver.ensure();
  await driver.apply({ private_key: key.private, port: PORT, mark: WIREGUARD_MARK, upsert: [], remove: [] });
  await setUp(place, number);
  const { carrier, sockets } = await attach(place, `node-${number}`);
  await loadTables(place.run, { ...sockets, mark: WIREGUARD_MARK });
  return { number, name: `node-${number}`, place, key, driver, outside, carrier, sockets };
}

/** An agent's side of the carrier there. */
export async function attach({ run_folder, start }: Namespace, node: string) {
  const carrier = new Carrier({ run_folder, start });
  await carrier.ensure();
  return { carrier, sockets: await carrier.ask('open', { node, wireguard_port: PORT }) };
}

/** Makes the other a peer of WireGuard's at its address on loopback, and has the link go these ways. */
export async function setWays(
  from: CarriedNode,
  to: CarriedNode,
  ways: Command<'links'>['set'][number]['ways'],
): Promise<void> {
  const { addresses } = await from.carrier.ask('links', { set: [{ peer: to.name, ways }], remove: [] });
  await setEndpoint(from, to, `${addresses[0]?.address}:${from.sockets.loopback_port}`);
}

export async function setEndpoint(
  { driver }: CarriedNode,
  { key, number }: CarriedNode,
  endpoint: string,
): Promise<void> {
  const peer = { key: key.public, networks: [`100.64.0.${number}/32`], endpoint, keepalive_s: 0 };
  await driver.apply({ upsert: [peer], remove: [] });
}

/**
 * How many of so many pings are answered, one each 10 ms, without waiting for one before the next. Once `ping` has had answers
 * it waits for the last one only twice as long as for the others, which a busy machine makes too short. With a deadline it
 * goes on until it has as many answers: those to what is behind the last one do not count.
 */
export async function pings({ place }: CarriedNode, { number }: CarriedNode, count: number): Promise<number> {
  const wait = count === 1 ? '-W' : '-w';
  const said = await place
    .run('ping', ['-n', '-i', '0.01', '-c', String(count), wait, '10', `100.64.0.${number}`])
    .catch((error: { message: string }) => error.message);
  const answered = [...said.matchAll(/icmp_seq=(\d+) ttl/g)].map(([, sequence]) => Number(sequence));
  return new Set(answered.filter((sequence) => sequence <= count)).size;
}

/** Pings, one each 10 ms, until it is stopped. Says which were never answered, of all before the last that was. */
export function pinging({ place }: CarriedNode, { number }: CarriedNode) {
  const child = place.spawn('ping', ['-n', '-i', '0.01', `100.64.0.${number}`]);
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return async (): Promise<{ readonly answered: number; readonly missing: readonly number[] }> => {
    const closed = once(child, 'close');
    child.kill('SIGINT');
    await closed;
    const answered = new Set([...said.matchAll(/icmp_seq=(\d+) ttl/g)].map(([, sequence]) => Number(sequence)));
    const all = Array.from({ length: Math.max(0, ...answered) }, (_, index) => index + 1);
    return { answered: answered.size, missing: all.filter((sequence) => !answered.has(sequence)) };
  };
}

/** The next one of the kind that fits. */
export function nextEvent<N extends EventName>(
  { carrier }: CarriedNode,
  name: N,
  fits: (facts: CarrierEvent<N>) => boolean = () => true,
): Promise<CarrierEvent<N>> {
  const { promise, resolve } = Promise.withResolvers<CarrierEvent<N>>();
  const listener = (facts: CarrierEvent<N>) => {
    if (!fits(facts)) return;
    (carrier.events as NodeJS.EventEmitter).off(name, listener);
    resolve(facts);
  };
  (carrier.events as NodeJS.EventEmitter).on(name, listener);
  return promise;
}
