import assert from 'node:assert/strict';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { MESH_INTERFACE, NODE_TABLE } from '@meshwork/contract';
import type { AclPeer, NodeInput } from '@meshwork/policy/firewall';
import { type Namespace, namespace, wire } from '../../../test/namespaces.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { NftFirewall } from './nft-firewall.ts';

const peer = (number: number, over: Partial<AclPeer['terms']> = {}): AclPeer => ({
  addresses: [`100.64.0.${number}`, `fd64::${number}`],
  terms: {
    allow: ['icmp', 'tcp:22', 'tcp:1024-2047', 'tcp:1-7', 'udp:53'],
    forward: [
      { to: '10.20.0.0/16', allow: ['tcp:443', 'icmp'] },
      { to: '10.30.0.1/32', allow: ['*'] },
      { to: 'fd65::1/128', allow: ['udp:1-65535'] },
      { to: 'fd66::/64', allow: ['*'] },
      { to: '0.0.0.0/0', allow: ['tcp:6', 'udp:17'] },
    ],
    ...over,
  },
});
const RULE = { enabled: true, nodes: ['*'], interface: 'any', protocol: 'tcp', direction: 'in' } as const;
const input = (peers: readonly AclPeer[], over: Partial<NodeInput> = {}): NodeInput => ({
  table: NODE_TABLE,
  meshInterface: MESH_INTERFACE,
  peers,
  rules: [
    { ...RULE, id: 'few', ports: ['2200', '80-90'], action: 'accept', rate: { count: 3, per: 'minute', burst: 5 } },
    { ...RULE, id: 'none', from: ['10.0.0.0/8', 'fd00::/8'], action: 'drop' },
    { ...RULE, id: 'logged', protocol: 'icmp', direction: 'forward', action: 'log' },
  ],
  logDenied: { count: 1, per: 'second' },
  translated: ['10.20.0.0/16', '10.30.0.1/32', 'fd65::1/128'],
  ...over,
});

describe('the packet filter of a node', { timeout: 300_000 }, () => {
  let space: Namespace;
  let given: string[];
  let firewall: NftFirewall;
  /** The namespace’s own, and what was loaded. */
  const run: RunCommand = (command, args, options) => {
    if (options?.input !== undefined) given.push(options.input);
    return space.run(command, args, options);
  };
  const nft = (...args: readonly string[]) => space.run('nft', args);
  /** Of the chain itself, and of its rules. */
  const handles = async (chain: string) =>
    [...(await nft('-a', 'list', 'chain', 'inet', 'mesh', chain)).matchAll(/ # handle (\d+)$/gm)].map(([, id]) => id);

  beforeEach(async () => {
    space = await namespace();
    given = [];
    firewall = new NftFirewall({ run });
  });
  afterEach(() => space[Symbol.asyncDispose]());

  it('is as it was asked for once it is applied', async () => {
    await firewall.apply(input([peer(2), peer(3)]));
    assert.equal(await firewall.drift(), null);
    assert.match(await nft('list', 'table', 'inet', 'mesh'), /100\.64\.0\.3 \. tcp \. 1024-2047/);
  });

  it('is as it was asked for also where it leads everywhere', async () => {
    await firewall.apply(input([peer(2)], { translated: ['0.0.0.0/0', '::/0'] }));
    assert.equal(await firewall.drift(), null);
    const shown = await nft('list', 'chain', 'inet', 'mesh', 'policy_forward');
    assert.match(shown, /ip daddr \{ .*169\.254\.0\.0\/16.*\} goto denied_forward/);
    assert.match(shown, /ip6 daddr \{ .*fe80::\/10.*\} goto denied_forward/);
  });

  it('changes only elements where that is enough', async () => {
    await firewall.apply(input([peer(2), peer(3)]));
    await firewall.apply(input([peer(2), peer(4)]));
    await firewall.apply(input([peer(2), peer(4)]));
    assert.equal(given.length, 2);
    assert.doesNotMatch(given[1] ?? '', /delete table/);
    assert.equal(await firewall.drift(), null);

    await firewall.apply(input([peer(2)], { rules: [] }));
    assert.match(given[2] ?? '', /delete table/);
    assert.equal(await firewall.drift(), null);
  });

  it('replaces everything when elements cannot be changed, or do not lead there', async () => {
    await firewall.apply(input([peer(2), peer(3)]));
    await nft('delete', 'element', 'inet', 'mesh', 'on_icmp4', '{ 100.64.0.3 }');
    await firewall.apply(input([peer(2)]));
    assert.equal(given.length, 3);
    assert.equal(await firewall.drift(), null);

    await nft('add', 'element', 'inet', 'mesh', 'on_any4', '{ 192.0.2.1 }');
    await firewall.apply(input([peer(2), peer(3)]));
    assert.equal(await firewall.drift(), null);
  });

  const frame = ({ peers: _, ...rest }: NodeInput) => rest;
  const terms = (...allow: string[]) => ({ allow, forward: [] });

  it('changes the elements of one peer alone, and asks the kernel for those alone', async () => {
    await firewall.apply(input([peer(2), peer(3)]));
    const asked = given.length;
    const change = { frame: frame(input([])), before: [peer(3)], after: [peer(3, terms('tcp:22', 'tcp:1024-4095'))] };
    assert.equal(await firewall.change(change), true);
    const [loaded = '', checked = '', ...more] = given.slice(asked);
    assert.deepEqual(more, []);
    for (const text of [loaded, checked]) assert.doesNotMatch(text, /100\.64\.0\.2|table inet/);
    assert.equal(await firewall.drift(), null);
    await firewall.apply(input([peer(2), peer(3, terms('tcp:22', 'tcp:1024-4095'))]));
    assert.equal(given.length, asked + 2, 'it is what all of it would have come to');
    assert.equal(await firewall.change({ frame: frame(input([])), before: [peer(2)], after: [peer(2)] }), true);
    assert.equal(given.length, asked + 2);
  });

  it('does not change some elements where more has changed, or where nothing is known', async () => {
    const change = { before: [], after: [peer(3)] };
    assert.equal(await firewall.change({ frame: frame(input([])), ...change }), false);
    await firewall.apply(input([peer(2)]));
    assert.equal(await firewall.change({ frame: frame(input([], { rules: [] })), ...change }), false);
    assert.equal(await firewall.change({ frame: frame(input([])), before: [peer(4)], after: [] }), false);
    assert.equal(given.length, 1);
    assert.equal(await firewall.drift(), null);
  });

  for (const [what, tamper] of [
    ['an element of it was gone', 'delete element inet mesh on_icmp4 { 100.64.0.3 }'],
    ['an element of it overlaps', 'add element inet mesh on_ports4 { 100.64.0.3 . tcp . 4001-4002 }'],
    ['the table was gone', 'delete table inet mesh'],
  ] as const) {
    it(`finds that a change of one peer does not lead there because ${what}, and everything is loaded anew`, async () => {
      await firewall.apply(input([peer(2), peer(3)]));
      await space.run('nft', ['-f', '-'], { input: `${tamper}\n` });
      const wanted = [peer(2), peer(3, terms('tcp:22', 'tcp:4000-4001'))];
      const change = { frame: frame(input([])), before: [peer(3)], after: wanted.slice(1) };
      assert.equal(await firewall.change(change), false);
      await firewall.apply(input(wanted));
      assert.equal(await firewall.drift(), null);
    });
  }

  it('does not believe a change of one peer that had no effect', async () => {
    const idle: RunCommand = async (command, args, options) =>
      args[0] === '-f' && /^(add|delete) element/.test(options?.input ?? '') ? '' : run(command, args, options);
    for (const [before, after] of [
      [[], [peer(3)]],
      [[peer(2)], []],
      [[peer(2)], [peer(2, terms('tcp:22'))]],
    ] as const) {
      const misled = new NftFirewall({ run: idle });
      await misled.apply(input([peer(2)]));
      assert.equal(await misled.change({ frame: frame(input([])), before, after }), false);
    }
  });

  it('does not believe a change that had no effect', async () => {
    const idle: RunCommand = async (command, args, options) =>
      options?.input?.startsWith('add element') ? '' : run(command, args, options);
    const misled = new NftFirewall({ run: idle });
    await misled.apply(input([peer(2)]));
    await misled.apply(input([peer(2), peer(3)]));
    assert.match(given.at(-1) ?? '', /delete table/);
    assert.match(await nft('list', 'set', 'inet', 'mesh', 'on_icmp4'), /100\.64\.0\.3/);
  });

  for (const [what, tamper, said] of [
    ['a missing table', ['delete table inet mesh'], 'the table is not there'],
    ['a flushed ruleset', ['flush ruleset'], 'the table is not there'],
    ['a flushed chain', ['flush chain inet mesh policy_in'], 'chain policy_in has 0 rules instead of 7'],
    ['a flushed table', ['flush table inet mesh'], /chain denied_in has 0 rules instead of 2; .*; and \d+ more/],
    [
      'a chain without its rules',
      ['flush chain inet mesh forward', 'delete chain inet mesh forward'],
      'chain forward is not there',
    ],
    ['another chain', ['add chain inet mesh extra'], 'chain extra should not be there'],
    ['an added rule', ['insert rule inet mesh input accept'], 'chain input has 7 rules instead of 6'],
    ['another policy', ['add chain inet mesh output { policy drop; }'], 'chain output is not as it was loaded'],
    ['an element more', ['add element inet mesh on_any4 { 192.0.2.1 }'], 'set on_any4 should not have 192.0.2.1'],
    ['an element less', ['delete element inet mesh on_icmp6 { fd64::3 }'], 'set on_icmp6 lacks fd64::3'],
    ['a flushed set', ['flush set inet mesh behind_any4'], 'set behind_any4 lacks 100.64.0.2 . 10.30.0.1 and 1 more'],
    ['a table that is switched off', ['add table inet mesh { flags dormant; }'], 'the table is switched off (dormant)'],
    [
      'a chain of another priority',
      [
        'delete chain inet mesh output',
        'add chain inet mesh output { type filter hook output priority 5; policy accept; }',
      ],
      /chain output is not as it was loaded/,
    ],
    [
      'a chain at another hook',
      [
        'delete chain inet mesh output',
        'add chain inet mesh output { type filter hook postrouting priority 0; policy accept; }',
      ],
      /chain output is not as it was loaded/,
    ],
    ['another set', ['add set inet mesh more { type ipv4_addr; }'], 'set more should not be there'],
  ] as const) {
    it(`finds ${what}, and mends it`, async () => {
      await firewall.apply(input([peer(2), peer(3)]));
      await space.run('nft', ['-f', '-'], { input: `${tamper.join('\n')}\n` });
      const drift = (await firewall.drift()) ?? assert.fail('nothing was found');
      if (typeof said === 'string') assert.equal(drift, said);
      else assert.match(drift, said);

      await firewall.apply(input([peer(2), peer(3)]));
      assert.equal(await firewall.drift(), null);
    });
  }

  it('finds a rule that was put in the place of another', async () => {
    await firewall.apply(input([peer(2)]));
    const last = (await handles('policy_in')).at(-1) ?? assert.fail();
    await nft('replace', 'rule', 'inet', 'mesh', 'policy_in', 'handle', last, 'accept');
    assert.equal(await firewall.drift(), 'chain policy_in has other rules');
  });

  for (const [how, said, meddle] of [
    [
      'replaced',
      'chain policy_in has other rules',
      (rule: string) => [`replace rule inet mesh policy_in handle ${rule} accept`],
    ],
    [
      'moved',
      'rules came after the table was loaded',
      (rule: string) => [
        `delete rule inet mesh policy_in handle ${rule}`,
        'insert rule inet mesh policy_in ip saddr @on_any4 accept',
      ],
    ],
  ] as const) {
    it(`does not learn from a table in which a rule was ${how} between loading and looking`, async () => {
      const meddled: RunCommand = async (command, args, options) => {
        const answer = await run(command, args, options);
        if (!options?.input?.includes('delete table')) return answer;
        const [, first = ''] = await handles('policy_in');
        await space.run('nft', ['-f', '-'], { input: `${meddle(first).join('\n')}\n` });
        return answer;
      };
      const misled = new NftFirewall({ run: meddled });
      await assert.rejects(misled.apply(input([peer(2)])), new RegExp(`changed by another program meanwhile: ${said}`));
      assert.equal(await misled.drift(), said);
    });
  }

  it('leaves other tables alone, and does not mind them', async () => {
    await nft('add', 'table', 'inet', 'other');
    await firewall.apply(input([peer(2)]));
    await nft('add', 'chain', 'inet', 'other', 'more');
    assert.equal(await firewall.drift(), null);
    await firewall.remove();
    assert.equal((await nft('list', 'ruleset')).replace(/\s+/g, ' ').trim(), 'table inet other { chain more { } }');
    assert.equal(await firewall.drift(), null);
    await firewall.remove();
  });

  it('changes nothing when the whole cannot be loaded, and says so', async () => {
    await firewall.apply(input([peer(2)]));
    const before = await nft('list', 'ruleset');
    const broken = new NftFirewall({
      run: (command, args, options = {}) =>
        space.run(command, args, {
          ...options,
          input: options.input === undefined ? undefined : `${options.input}nonsense\n`,
        }),
    });
    await assert.rejects(broken.apply(input([])), /syntax error/);
    assert.equal(await nft('list', 'ruleset'), before);
    assert.match((await broken.drift()) ?? '', /should not have/);
  });

  it('does not claim to know of a table that it could not read', async () => {
    let isMissing = false;
    const watched = new NftFirewall({
      run: (command, args, options) =>
        isMissing ? runCommand('no-such-nft', args, options) : run(command, args, options),
    });
    await watched.apply(input([peer(2)]));
    isMissing = true;
    await assert.rejects(watched.drift(), /nft is not installed/);
    await assert.rejects(watched.apply(input([peer(2)])), /nft is not installed/);
  });

  it('says when nft is not there', async () => {
    const without = new NftFirewall({
      run: (command, args, options) => runCommand(`no-such-${command}`, args, options),
    });
    await assert.rejects(without.apply(input([])), /without nftables this node cannot keep to the policy/);
  });

  it('counts on when the table is replaced, by us or by others', async () => {
    await wireSelf();
    await firewall.apply(input([]));
    await knock(1);
    await hasDenied(1);

    // One more in the old table, and then more in the new one than there were in the old.
    await knock(1);
    while (!(await nft('list', 'counter', 'inet', 'mesh', 'denied_in')).includes('packets 2 ')) await pause(20);
    await firewall.apply(input([], { rules: [] }));
    await knock(3);
    await hasDenied(5);

    await nft('delete', 'table', 'inet', 'mesh');
    assert.deepEqual(await firewall.denied(), { in: 5, forward: 0 });
    await firewall.apply(input([], { rules: [] }));
    assert.deepEqual(await firewall.denied(), { in: 5, forward: 0 });
  });

  let other: Namespace;
  beforeEach(async () => {
    other = await namespace();
  });
  afterEach(() => other[Symbol.asyncDispose]());

  /** A peer at the other end of the mesh. Without its own link-local address nothing is sent that no test asked for. */
  async function wireSelf(): Promise<void> {
    await wire(space, other);
    for (const [place, address] of [
      [space, '100.64.0.1/24'],
      [other, '100.64.0.2/24'],
    ] as const) {
      await place.ip('link set mesh0 addrgenmode none', 'link set mesh0 up', `addr add ${address} dev mesh0`);
    }
  }

  async function hasDenied(packets: number): Promise<void> {
    let denied = await firewall.denied();
    for (; denied.in < packets; denied = await firewall.denied()) await pause(20);
    assert.deepEqual(denied, { in: packets, forward: 0 });
  }

  /** Packets that nothing grants. */
  async function knock(times: number): Promise<void> {
    const script = `import { createSocket } from 'node:dgram';
      const socket = createSocket('udp4');
      let left = ${times};
      for (let count = left; count > 0; count--) socket.send('x', 9, '100.64.0.1', () => --left || socket.close());`;
    await other.run(process.execPath, ['--input-type=module', '-e', script]);
  }

  it('takes over from a predecessor without disturbing a flow that is still granted', async () => {
    await wireSelf();
    await firewall.apply(input([peer(2)]));
    const server = space.script(`import { createServer } from 'node:net';
      createServer((socket) => socket.pipe(socket)).listen(22, () => console.log('ready'));`);
    await once(server.stdout ?? assert.fail(), 'data');
    const client = other.script(`import { connect } from 'node:net';
      const socket = connect(22, '100.64.0.1');
      process.stdin.pipe(socket).pipe(process.stdout);
      socket.on('close', () => process.exit());`);
    const { stdin, stdout } = client;
    assert.ok(stdin !== null && stdout !== null);
    const ask = async (text: string) => {
      stdin.write(text);
      const [said] = await Promise.race([once(stdout, 'data'), once(client, 'exit')]);
      assert.equal(String(said), text);
    };
    await ask('one');

    const successor = new NftFirewall({ run });
    await successor.apply(input([peer(2), peer(3)]));
    await ask('two');
    assert.equal(await successor.drift(), null);
    assert.deepEqual(await successor.denied(), { in: 0, forward: 0 });
    assert.match(given.at(-1) ?? '', /delete table/);

    // And it was the grant that let it through.
    await successor.apply(input([peer(3)]));
    stdin.write('three');
    while ((await successor.denied()).in === 0) await pause(20);
  });
});
