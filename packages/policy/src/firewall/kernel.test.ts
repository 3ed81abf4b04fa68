/** The compiled table in a real kernel: a peer, a node and a server behind the node, each in a network namespace. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { containsAddress } from '@meshwork/addresses';
import { covers } from '../document/allow.ts';
import type { AclPeer } from './acl-sets.ts';
import { checkedAllow, checkedNetwork } from './checked.ts';
import { compileNode } from './compile-node.ts';
import { decide, type Packet } from './decide.ts';
import type { FirewallRule } from './rule.ts';
import { tableChange } from './table-change.ts';

const NAME = (role: string) => `fw${process.pid}${role}`;
const [PEER, NODE, SERVER] = [NAME('p'), NAME('n'), NAME('s')] as const;

const RULE = { enabled: true, nodes: ['*'], interface: 'any', protocol: 'tcp', direction: 'in' } as const;
const RULES: readonly FirewallRule[] = [
  { ...RULE, id: 'not-8050', ports: ['8050'], action: 'drop' },
  { ...RULE, id: 'not-a-grant', interface: 'mesh', ports: ['23'], action: 'accept' },
  { ...RULE, id: 'two', ports: ['2200'], action: 'accept', rate: { count: 1, per: 'hour', burst: 2 } },
  { ...RULE, id: 'not-three', ports: ['2200'], action: 'drop' },
  { ...RULE, id: 'not-that-server', direction: 'forward', to: ['10.20.0.6/32'], action: 'drop' },
  { ...RULE, id: 'no-mail', direction: 'out', ports: ['25'], action: 'drop' },
];
const GRANTED: AclPeer = {
  addresses: ['100.64.0.2', 'fd64::2'],
  terms: {
    allow: ['icmp', 'tcp:22', 'tcp:2200', 'tcp:8000-8999', 'udp:53', 'udp:8055'],
    forward: [
      { to: '10.20.0.0/16', allow: ['tcp:443', 'udp:53', 'udp:55'] },
      { to: 'fd65::/64', allow: ['tcp:443'] },
    ],
  },
};
const tableOf = (peers: readonly AclPeer[], translated: readonly string[] = []) =>
  compileNode({ table: 'mesh', meshInterface: 'mesh0', rules: RULES, peers, translated });

describe('a compiled table in the kernel', { timeout: 280_000 }, () => {
  const servers: ChildProcess[] = [];
  before(async () => {
    try {
      buildNetwork();
      for (const place of [PEER, NODE, SERVER]) servers.push(await startEcho(place));
    } catch (error) {
      await tearDown(servers);
      throw error;
    }
  });
  after(() => tearDown(servers));

  it('lets through what rules and policy say, and nothing else', async () => {
    load(tableOf([GRANTED]).text);
    const tcp = [22, 23, 8050, 8051, 9000].flatMap((port) => [probe('100.64.0.1', port), probe('fd64::1', port)]);
    const udp = [53, 54].map((port) => probe('100.64.0.1', port, { protocol: 'udp' }));
    const stranger = [22, 8051].map((port) => probe('100.64.0.1', port, { from: '100.64.0.3' }));
    const behind = [
      probe('10.20.0.5', 443),
      probe('10.20.0.5', 80),
      probe('10.20.0.6', 443),
      probe('10.20.0.5', 53, { protocol: 'udp' }),
      probe('10.20.0.5', 443, { from: '100.64.0.3' }),
    ];
    const probes = [...tcp, ...udp, ...stranger, ...behind];
    const wanted = probes.map(expected);
    const through = wanted.filter(Boolean).length;
    assert.deepEqual(named(probes, await runProbes(PEER, probes, through)), named(probes, wanted));
    assert.ok(through > 0 && counter('denied_in') > 0 && counter('denied_forward') > 0);
  });

  it('lets the node open flows into the mesh, except where a rule drops them', async () => {
    load(tableOf([]).text);
    const probes = [probe('100.64.0.2', 22), probe('fd64::2', 22), probe('100.64.0.2', 25)];
    assert.deepEqual(await runProbes(NODE, probes, 2), [true, true, false]);
  });

  it('lets no host behind the node open flows into the mesh', async () => {
    load(tableOf([GRANTED]).text);
    assert.deepEqual(await runProbes(SERVER, [probe('100.64.0.2', 22), probe('100.64.0.1', 22)], 1), [false, true]);
  });

  it('takes as many new flows as the rate says, and keeps those that are open', async () => {
    load(tableOf([GRANTED]).text);
    const results = await runProbes(PEER, new Array(3).fill(probe('100.64.0.1', 2200)), 2);
    assert.equal(results.filter(Boolean).length, 2);
  });

  it('stops what a server behind the node goes on sending when the grant goes', async () => {
    load(tableOf([GRANTED]).text);
    await using ticks = await startTicking('10.20.0.5', 55);
    await ticks.next();
    assert.equal(counter('denied_forward'), 0);

    load(tableOf([]).text);
    while (counter('denied_forward') < 3) await pause(20);
  });

  it('sends no more to a peer whose grant is gone, though the peer once asked for it', async () => {
    load(tableOf([GRANTED]).text);
    await using ticks = await startTicking('100.64.0.1', 8055, NODE);
    await ticks.next();
    const denied = counter('denied_in');

    const less = { ...GRANTED, terms: { ...GRANTED.terms, allow: ['tcp:22'] } };
    load(tableChange(tableOf([GRANTED]), tableOf([less])) ?? assert.fail('elements are enough'));
    while (counter('denied_in') < denied + 3) await pause(20);
  });

  it('gives its own address to what goes to a network that knows no way back, and only there', async () => {
    const probes = [probe('10.20.0.5', 443), probe('fd65::5', 443), probe('10.20.0.5', 53, { protocol: 'udp' })];
    execFileSync('ip', ['-n', SERVER, 'route', 'delete', '100.64.0.0/24']);
    try {
      load(tableOf([GRANTED]).text);
      assert.deepEqual(await runProbes(PEER, probes, 0), [false, false, false]);
      load(tableOf([GRANTED], ['10.20.0.0/16']).text);
      assert.deepEqual(await runProbes(PEER, probes, 2), [true, false, true]);
      load(tableOf([GRANTED], ['fd65::/64', '0.0.0.0/0']).text);
      assert.deepEqual(await runProbes(PEER, [...probes, probe('10.20.0.5', 80)], 3), [true, true, true, false]);

      await using ticks = await startTicking('10.20.0.5', 55);
      await ticks.next();
      // The answers of the server are asked about by the address of the peer, though the server never saw it.
      load(tableOf([], ['10.20.0.0/16']).text);
      while (counter('denied_forward') < 3) await pause(20);
    } finally {
      execFileSync('ip', ['-n', SERVER, 'route', 'add', '100.64.0.0/24', 'via', '10.20.0.1']);
    }
  });

  it('leads everywhere by a default route, but not to what only the node itself has', async () => {
    const metadata = '169.254.169.254';
    const everywhere = { ...GRANTED, terms: { allow: [], forward: [{ to: '0.0.0.0/0', allow: ['tcp:443'] }] } };
    execFileSync('ip', ['-n', SERVER, 'addr', 'add', `${metadata}/32`, 'dev', 'lan0']);
    execFileSync('ip', ['-n', NODE, 'route', 'add', metadata, 'via', '10.20.0.5']);
    execFileSync('ip', ['-n', PEER, 'route', 'add', metadata, 'via', '100.64.0.1', 'src', '100.64.0.2']);
    const probes = [probe('10.20.0.5', 443), probe(metadata, 443)];
    // Named for itself it would be reached, so that what follows shows the rule and not a missing way.
    load(
      tableOf([{ ...everywhere, terms: { allow: [], forward: [{ to: `${metadata}/32`, allow: ['tcp:443'] }] } }]).text,
    );
    assert.deepEqual(await runProbes(PEER, probes, 1), [false, true]);
    load(tableOf([everywhere], ['0.0.0.0/0']).text);
    assert.deepEqual(await runProbes(PEER, probes, 1), [true, false]);
    assert.ok(counter('denied_forward') > 0);
  });

  for (const [what, change] of [
    ['the table is replaced', (to: readonly AclPeer[]) => tableOf(to).text],
    [
      'elements are taken out',
      (to: readonly AclPeer[], from: readonly AclPeer[]) => tableChange(tableOf(from), tableOf(to)),
    ],
  ] as const) {
    for (const [place, address, port] of [
      ['in', '100.64.0.1', 22],
      ['forward', '10.20.0.5', 443],
    ] as const) {
      it(`cuts a live flow (${place}) when its grant goes: ${what}`, async () => {
        load(tableOf([GRANTED]).text);
        await using flow = await openFlow(address, port);
        await flow.say('one');
        assert.equal(await flow.received(), 'one');

        load(change([], [GRANTED]) ?? assert.fail('elements are enough'));
        const denied = counter(`denied_${place}`);
        await flow.say('two');
        while (counter(`denied_${place}`) === denied) await pause(20);
        assert.equal(flow.pending(), '');

        // What was held back arrives once it is granted again: it was the grant, and nothing else.
        load(tableOf([GRANTED]).text);
        assert.equal(await flow.received(), 'two');
      });
    }
  }
});

interface Probe {
  readonly to: string;
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
  readonly from: string;
}

function probe(to: string, port: number, over: Partial<Probe> = {}): Probe {
  return { to, port, protocol: 'tcp', from: '', ...over };
}

/** What `decide` and the terms of the peer make of it. */
function expected({ to, port, protocol, from }: Probe): boolean {
  const own = to.includes(':') ? 'fd64::2' : '100.64.0.2';
  const isBehind = to.startsWith('10.20.');
  const direction: Packet['direction'] = isBehind ? 'forward' : 'in';
  const packet = { direction, interface: 'mesh', from: from || own, to, protocol, port };
  const { allow, forward } = GRANTED.terms;
  const granted = isBehind
    ? forward.filter((one) => containsAddress(checkedNetwork(one.to), to)).flatMap((one) => one.allow)
    : allow;
  const isPeer = GRANTED.addresses.includes(packet.from);
  const { rules } = tableOf([GRANTED]);
  return isPeer && decide(rules, packet).action !== 'drop' && covers(granted.map(checkedAllow), protocol, port);
}

function named(probes: readonly Probe[], results: readonly boolean[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(
    probes.map(({ from, to, protocol, port }, index) => [
      `${from} -> ${to} ${protocol}:${port}`,
      results[index] ?? false,
    ]),
  );
}

/** WireGuard has no neighbours to find, and a table drops the search for them: here each gets the other as a static neighbour. */
function buildNetwork(): void {
  const inside = (place: string, ...commands: readonly string[]) =>
    commands.map((command) => `ip -n ${place} ${command}`);
  const script = [
    ...[PEER, NODE, SERVER].map((place) => `ip netns add ${place}`),
    `ip link add mesh0 netns ${NODE} address 02:00:00:00:00:01 type veth peer name mesh0 netns ${PEER} address 02:00:00:00:00:02`,
    `ip link add lan0 netns ${NODE} type veth peer name lan0 netns ${SERVER}`,
    ...[PEER, NODE, SERVER].flatMap((place) => inside(place, 'link set lo up')),
    // Without link-local addresses nothing is sent that no test asked for, and the counters count what they are meant to.
    ...[PEER, NODE].flatMap((place) => inside(place, 'link set mesh0 addrgenmode none')),
    ...[NODE, SERVER].flatMap((place) => inside(place, 'link set lan0 addrgenmode none')),
    ...inside(NODE, 'link set mesh0 up', 'link set lan0 up', 'addr add 100.64.0.1/24 dev mesh0'),
    ...inside(NODE, 'addr add 10.20.0.1/16 dev lan0', 'addr add fd64::1/64 dev mesh0 nodad'),
    ...inside(NODE, 'neigh replace fd64::2 dev mesh0 lladdr 02:00:00:00:00:02 nud permanent'),
    ...inside(PEER, 'link set mesh0 up', 'addr add 100.64.0.2/24 dev mesh0', 'addr add 100.64.0.3/24 dev mesh0'),
    ...inside(PEER, 'addr add fd64::2/64 dev mesh0 nodad', 'route add 10.20.0.0/16 via 100.64.0.1 src 100.64.0.2'),
    ...inside(PEER, 'neigh replace fd64::1 dev mesh0 lladdr 02:00:00:00:00:01 nud permanent'),
    ...inside(SERVER, 'link set lan0 up', 'addr add 10.20.0.5/16 dev lan0', 'addr add 10.20.0.6/16 dev lan0'),
    ...inside(SERVER, 'route add 100.64.0.0/24 via 10.20.0.1', 'addr add fd65::5/64 dev lan0 nodad'),
    ...inside(NODE, 'addr add fd65::1/64 dev lan0 nodad'),
    ...inside(PEER, 'route add fd65::/64 via fd64::1 src fd64::2'),
    `ip netns exec ${NODE} sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/forwarding'`,
    `ip netns exec ${NODE} sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'`,
  ];
  execFileSync('sh', ['-e'], { input: script.join('\n') });
}

async function tearDown(processes: readonly ChildProcess[]): Promise<void> {
  await Promise.all(processes.map(stop));
  const present = execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' });
  for (const place of [PEER, NODE, SERVER]) {
    if (present.includes(place)) execFileSync('ip', ['netns', 'delete', place]);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

function load(text: string): void {
  execFileSync('ip', ['netns', 'exec', NODE, 'nft', '-f', '-'], { input: text });
}

function counter(name: string): number {
  const args = ['netns', 'exec', NODE, 'nft', 'list', 'counter', 'inet', 'mesh', name];
  return Number(/packets (\d+)/.exec(execFileSync('ip', args, { encoding: 'utf8' }))?.[1]);
}

function nodeIn(place: string, script: string, argument = ''): ChildProcess {
  const args = ['netns', 'exec', place, process.execPath, '--input-type=module', '-e', script, argument];
  return spawn('ip', args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Says back whatever it hears, on all ports that the tests ask for. */
async function startEcho(place: string): Promise<ChildProcess> {
  const child = nodeIn(
    place,
    `import { createServer } from 'node:net';
     import { createSocket } from 'node:dgram';
     const ready = [22, 23, 25, 80, 443, 2200, 8050, 8051, 9000].map((port) => new Promise((resolve) => {
       createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket)).listen(port, '::', resolve);
     }));
     for (const port of [53, 54]) {
       const socket = createSocket('udp4');
       socket.on('message', (text, { port, address }) => socket.send(text, port, address));
       ready.push(new Promise((resolve) => socket.bind(port, resolve)));
     }
     await Promise.all(ready);
     console.log('ready');`,
  );
  const [said] = await Promise.race([once(child.stdout ?? assert.fail(), 'data'), once(child, 'exit')]);
  assert.match(String(said), /ready/);
  return child;
}

/**
 * All at once. What is dropped is known by the silence that follows, which begins when as many as should have got
 * through: on a machine that is busy they take long, too.
 */
async function runProbes(place: string, probes: readonly Probe[], through: number): Promise<readonly boolean[]> {
  const child = nodeIn(
    place,
    `import { connect } from 'node:net';
     import { createSocket } from 'node:dgram';
     import { setTimeout as sleep } from 'node:timers/promises';
     // A SYN that got lost is sent again after 1, 3, 7, 15 and 31 s.
     const [PATIENCE_MS, SILENCE_MS] = [45_000, 2_500];
     const { probes, through } = JSON.parse(process.argv[1]);
     const results = probes.map(() => false);
     const enough = Promise.withResolvers();
     const got = (index) => {
       results[index] = true;
       if (results.filter(Boolean).length >= through) enough.resolve();
     };
     const tcp = ({ to, port, from }, index) => {
       const socket = connect({ host: to, port, ...(from && { localAddress: from }) });
       socket.on('connect', () => socket.write('x')).on('error', () => socket.destroy());
       socket.on('data', () => { socket.destroy(); got(index); });
     };
     const udp = ({ to, port }, index) => {
       const socket = createSocket('udp4');
       socket.on('message', () => { socket.close(); got(index); }).send('x', port, to);
     };
     for (const [index, one] of probes.entries()) (one.protocol === 'tcp' ? tcp : udp)(one, index);
     if (through > 0) await Promise.race([enough.promise, sleep(PATIENCE_MS)]);
     await sleep(SILENCE_MS);
     console.log(JSON.stringify(results));
     process.exit();`,
    JSON.stringify({ probes, through }),
  );
  let output = '';
  child.stdout?.on('data', (text) => {
    output += text;
  });
  await once(child, 'close');
  return JSON.parse(output) as readonly boolean[];
}

/** A server that does not stop sending after the first request. The peer sends one and only listens from then on. */
async function startTicking(
  to: string,
  port: number,
  place = SERVER,
): Promise<AsyncDisposable & { readonly next: () => Promise<void> }> {
  const server = nodeIn(
    place,
    `import { createSocket } from 'node:dgram';
     const socket = createSocket('udp4');
     socket.on('message', (_, { port, address }) => setInterval(() => socket.send('tick', port, address), 20));
     socket.bind(${port}, () => console.log('ready'));`,
  );
  await once(server.stdout ?? assert.fail(), 'data');
  const peer = nodeIn(
    PEER,
    `import { createSocket } from 'node:dgram';
     createSocket('udp4').on('message', (text) => console.log(String(text))).send('go', ${port}, '${to}');`,
  );
  return {
    next: async () => void (await once(peer.stdout ?? assert.fail(), 'data')),
    [Symbol.asyncDispose]: async () => void (await Promise.all([stop(peer), stop(server)])),
  };
}

interface Flow extends AsyncDisposable {
  readonly say: (text: string) => Promise<void>;
  /** The next that comes back. */
  readonly received: () => Promise<string>;
  /** What came back and was not yet asked for. */
  readonly pending: () => string;
}

async function openFlow(to: string, port: number): Promise<Flow> {
  const script = `import { connect } from 'node:net';
    const socket = connect(${port}, '${to}');
    process.stdin.pipe(socket).pipe(process.stdout);`;
  const child = nodeIn(PEER, script);
  const { stdin, stdout } = child;
  assert.ok(stdin !== null && stdout !== null);
  let pending = '';
  stdout.setEncoding('utf8').on('data', (text: string) => {
    pending += text;
  });
  return {
    say: (text) => new Promise((resolve) => stdin.write(text, () => resolve())),
    received: async () => {
      while (pending === '') await once(stdout, 'data');
      const text = pending;
      pending = '';
      return text;
    },
    pending: () => pending,
    [Symbol.asyncDispose]: () => stop(child),
  };
}
