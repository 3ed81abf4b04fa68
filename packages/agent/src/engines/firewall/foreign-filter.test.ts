/** Rule sets as nftables itself lists them, of a real kernel. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readNetwork } from '@meshwork/addresses';
import type { ForeignRule } from '@meshwork/contract';
import { type Namespace, namespace } from '../../../test/namespaces.ts';
import { loadTables } from '../../carrier/tables/load-tables.ts';
import { WIREGUARD_MARK } from '../../host/own-numbers.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import { ForeignTables } from './foreign-tables.ts';

const REACH = { networks: ['100.64.0.0/10', 'fd64::/48', '10.20.0.0/16'].map(readNetwork), forwards: false };

describe('rules of other programs', { timeout: 300_000 }, () => {
  let space: Namespace;
  before(async () => {
    space = await namespace();
    await space.ip('link add mesh0 type veth peer name mesh0-end', 'link add eth0 type veth peer name eth0-end');
  });
  after(() => space[Symbol.asyncDispose]());

  /** What is reported of a rule set, beside ours. */
  async function reported(text: string, forwards = false): Promise<readonly ForeignRule[]> {
    const ours = 'table inet mesh { chain input { type filter hook input priority 0; policy drop; }; }';
    await space.run('nft', ['-f', '-'], { input: `flush ruleset\n${ours}\n${text}\n` });
    const tables = new ForeignTables(space.run, async () => '');
    assert.equal(tables.rules(REACH), undefined);
    await tables.look();
    return tables.rules({ ...REACH, forwards }) ?? assert.fail();
  }
  const chain = (hook: string, rules: string, policy = 'accept') =>
    `table inet other {\nchain sub {\ntcp dport 5 drop\n}\nchain c {\ntype filter hook ${hook} priority 0; policy ${policy};\n${rules}\n}\n}`;

  it('says nothing where there are none, or none that can harm', async () => {
    for (const harmless of [
      '',
      chain('input', 'tcp dport 22 accept\ncounter'),
      chain('input', 'iifname "eth0" drop\niifname "eth*" drop\niifname != "mesh0" drop'),
      chain('input', 'ip saddr 192.168.0.0/16 drop\nip daddr { 10.99.0.0/16, 172.16.0.1 } drop'),
      chain('input', 'ct state invalid drop'),
      chain('input', 'meta l4proto sctp drop'),
      chain('input', 'iifname "eth0" jump sub'),
      chain('forward', 'drop', 'drop'),
      `table inet other {\nflags dormant\nchain c {\ntype filter hook input priority 0; policy drop;\n}\n}`,
      'table netdev n {\nchain c {\ntype filter hook ingress device eth0 priority 0; policy drop;\n}\n}',
    ]) {
      assert.deepEqual(await reported(harmless), [], harmless);
    }
  });

  it('are not those by which the carrier and WireGuard meet', async () => {
    let text = '';
    const write: RunCommand = async (_command, _args, options) => {
      text = String(options?.input);
      return '';
    };
    const ports = { wireguard_port: 51_820, loopback_port: 40_000, shared_ports: { four: 40_001, six: 40_002 } };
    await loadTables(write, { ...ports, mark: WIREGUARD_MARK });
    assert.match(text, /drop/);
    assert.deepEqual(await reported(text), []);
    assert.notDeepEqual(await reported(text.replaceAll('mesh_', 'other_')), []);
  });

  for (const [what, rules, matches] of [
    ['a port', 'tcp dport { 22, 8000-8999 } drop', { protocol: 'tcp', ports: ['22', '8000-8999'] }],
    ['a network', 'ip saddr 100.64.0.0/16 reject', { from: ['100.64.0.0/16'] }],
    ['some addresses', 'ip6 daddr { fd64::1, fd64::2 } drop', { to: ['fd64::1/128', 'fd64::2/128'] }],
    ['the interface', 'iifname "mesh0" udp dport 53 drop', { interface: 'mesh0', protocol: 'udp', ports: ['53'] }],
    ['a protocol', 'meta l4proto icmp drop', { protocol: 'icmp' }],
    [
      'a chain that it leads to',
      'ip saddr 100.64.0.2 jump sub',
      { from: ['100.64.0.2/32'], protocol: 'tcp', ports: ['5'] },
    ],
    ['a condition that is not understood', 'meta mark 7 tcp dport != 22 drop', { protocol: 'tcp' }],
    ['a rate', 'tcp dport 22 limit rate over 5/second drop', { protocol: 'tcp', ports: ['22'] }],
    ['a verdict map', 'tcp dport vmap { 22 : drop, 80 : accept }', {}],
  ] as const) {
    it(`are reported with ${what}`, async () => {
      const [rule, ...more] = await reported(chain('input', rules));
      const { kind, direction, text, ...rest } = rule ?? assert.fail('nothing is reported');
      assert.deepEqual([kind, direction, rest, more], ['filter', 'in', matches, []]);
      assert.match(text, /^table inet other, chain (c|sub): /);
    });
  }

  it('are read also beside a table that is switched off', async () => {
    const off = 'table ip off {\nflags dormant\nchain c {\ntype filter hook input priority 0; policy drop;\n}\n}';
    const found = await reported(`${off}\n${chain('input', 'tcp dport 22 drop')}`);
    assert.deepEqual(
      found.map(({ text }) => text),
      ['table inet other, chain c: tcp dport 22 drop'],
    );
  });

  it('of one family concern that family alone', async () => {
    const [rule] = await reported(
      'table ip filter {\nchain INPUT {\ntype filter hook input priority 0; policy drop;\n}\n}',
    );
    assert.deepEqual(rule, {
      kind: 'filter',
      direction: 'in',
      text: 'table ip filter, chain INPUT: policy drop',
      from: ['0.0.0.0/0'],
      to: ['0.0.0.0/0'],
    });
  });

  it('that drop by their policy are harmless once packets of the mesh are accepted, and not otherwise', async () => {
    for (const accepting of ['iifname "mesh0" accept', 'accept', 'iifname { "mesh0", "lo" } accept']) {
      assert.deepEqual(await reported(chain('input', accepting, 'drop')), [], accepting);
    }
    for (const partly of [
      'iifname "mesh0" tcp dport 22 accept',
      'iifname "eth0" accept',
      'ct state established accept',
    ]) {
      assert.equal((await reported(chain('input', partly, 'drop'))).length, 1, partly);
    }
    assert.deepEqual(await reported(chain('output', 'oifname "mesh0" accept', 'drop')), []);
  });

  it('about what is forwarded matter to a node that forwards, with the answers', async () => {
    assert.equal((await reported(chain('forward', 'iifname "mesh0" accept', 'drop'), true)).length, 1);
    const both = 'ct state established,related accept\niifname "mesh0" accept';
    assert.deepEqual(await reported(chain('forward', both, 'drop'), true), []);
    const directions = (await reported(chain('prerouting', 'ip daddr 100.64.0.9 drop'), true)).map(
      (rule) => rule.direction,
    );
    assert.deepEqual(directions, ['in', 'forward']);
  });

  it('that redirect are reported', async () => {
    const text =
      'table ip nat {\nchain p {\ntype nat hook prerouting priority -100;\ntcp dport 80 redirect to :8080\n}\n}';
    assert.deepEqual(
      (await reported(text)).map((rule) => rule.text),
      ['table ip nat, chain p: tcp dport 80 redirect to :8080'],
    );
  });

  it('that are too many, or cannot be read, are not judged', async () => {
    const failing: RunCommand = (_command, args, options) => runCommand('no-such-nft', args, options);
    const tables = new ForeignTables(failing);
    await tables.look();
    const rules = tables.rules(REACH) ?? assert.fail();
    assert.deepEqual(
      rules.map(({ direction }) => direction),
      ['in', 'out', 'forward'],
    );
    assert.match(rules[0]?.text ?? '', /cannot be read: .*not installed/);
  });

  it('of the iptables before nftables are named by their table', async () => {
    const saved = new Map([
      ['filter', '*filter\n:INPUT ACCEPT [0:0]\n-A INPUT -j DROP\nCOMMIT\n'],
      ['nat', '*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n'],
    ]);
    const run: RunCommand = async (command, args, options) =>
      command === 'iptables-legacy-save' ? (saved.get(args[1] ?? '') ?? '') : await space.run(command, args, options);
    await space.run('nft', ['flush', 'ruleset']);
    const tables = new ForeignTables(run, async (file) => (file.endsWith('/ip_tables_names') ? 'nat\nfilter\n' : ''));
    await tables.look();
    const texts = (tables.rules(REACH) ?? []).map(({ text }) => text);
    assert.deepEqual([...new Set(texts)], ['iptables-legacy has rules in filter']);
  });
});
