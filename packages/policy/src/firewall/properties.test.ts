/** What holds for all rules and peers, and what the kernel says of the tables that they become. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { containsAddress } from '@meshwork/addresses';
import fc from 'fast-check';
import { covers, mergeAllows, parseAllow } from '../document/allow.ts';
import { type AclPeer, aclSets } from './acl-sets.ts';
import { checkRule } from './check-rule.ts';
import { checkedAllow, checkedNetwork } from './checked.ts';
import { compileNode, type NodeInput } from './compile-node.ts';
import { type Decision, decide, type Packet } from './decide.ts';
import { hostRules } from './host-rules.ts';
import { reviewRules } from './review.ts';
import type { FirewallRule } from './rule.ts';
import { tableChange } from './table-change.ts';

// Few values, so that rules and packets meet often.
const NETWORKS = [
  '0.0.0.0/0',
  '10.0.0.0/8',
  '10.1.0.0/16',
  '10.1.1.1/32',
  '192.168.0.0/16',
  '::/0',
  'fd00::/8',
  'fd00::1/128',
];
const ADDRESSES = [
  '10.1.1.1',
  '10.1.2.3',
  '10.9.9.9',
  '192.168.1.1',
  '203.0.113.5',
  'fd00::1',
  'fd00::2',
  '2001:db8::1',
];
const PORTS = ['22', '53', '80', '80-90', '1-1024', '8000-8999', '65535'];
const ALLOWS = ['*', 'icmp', 'tcp:*', 'udp:*', ...PORTS.flatMap((port) => [`tcp:${port}`, `udp:${port}`])];
const INTERFACES = ['any', 'mesh', 'mesh0', 'eth0', 'br-lan.100'];
const DIRECTIONS = ['in', 'out', 'forward'] as const;

// Absent as often as not: rules that say little cover each other.
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

const anyRule = fc
  .record({
    direction: fc.constantFrom(...DIRECTIONS),
    interface: fc.constantFrom(...INTERFACES),
    from: option(some(NETWORKS)),
    to: option(some(NETWORKS)),
    protocol: fc.constantFrom('any', 'tcp', 'udp', 'icmp'),
    ports: option(some(PORTS)),
    action: fc.constantFrom('accept', 'drop', 'log'),
    rate: option(
      fc.record({
        count: fc.constantFrom(1, 10, 100_000),
        per: fc.constantFrom('second', 'minute', 'hour'),
        burst: fc.constantFrom(1, 10_000),
      }),
    ),
  })
  .map((rule) => ({ id: 'x', enabled: true, nodes: ['*'], ...withoutAbsent(rule) }) as FirewallRule)
  .filter((rule) => checkRule(rule).length === 0);

const anyRules = fc
  .array(anyRule, { maxLength: 8 })
  .map((rules) => rules.map((rule, index) => ({ ...rule, id: `rule-${index}` })));

const anyAllow = fc.uniqueArray(fc.constantFrom(...ALLOWS), { maxLength: 5 }).map(merged);

const anyPeers: fc.Arbitrary<readonly AclPeer[]> = fc
  .array(
    fc.record({
      allow: anyAllow,
      forward: fc
        .uniqueArray(fc.constantFrom(...NETWORKS), { maxLength: 5 })
        .chain((networks) => fc.tuple(...networks.map((to) => anyAllow.map((allow) => ({ to, allow }))))),
    }),
    { maxLength: 6 },
  )
  .map((all) => all.map((terms, index) => ({ addresses: [`100.64.0.${index + 1}`, `fd64::${index + 1}`], terms })));

const anyPacket: fc.Arbitrary<Packet> = fc
  .record({
    direction: fc.constantFrom(...DIRECTIONS),
    interface: fc.constantFrom('mesh', 'eth0', 'br-lan.100', 'eth7'),
    from: fc.constantFrom(...ADDRESSES),
    to: fc.constantFrom(...ADDRESSES),
    protocol: fc.constantFrom('tcp', 'udp', 'icmp'),
    port: fc.constantFrom(22, 53, 80, 85, 90, 91, 1024, 8500, 65_535),
  })
  .map(({ port, ...packet }) => (packet.protocol === 'icmp' ? packet : { ...packet, port }) as Packet)
  .filter(({ from, to }) => from.includes(':') === to.includes(':'));

const anyInput: fc.Arbitrary<Omit<NodeInput, 'table'>> = fc.record({
  meshInterface: fc.constant('mesh0'),
  peers: anyPeers,
  rules: anyRules,
  logDenied: fc.constant({ count: 5, per: 'second' as const }),
});

describe('any table', () => {
  it('is taken by nft', () => {
    const inputs = fc.sample(anyInput, 200);
    const texts = inputs.map((input, index) => compileNode({ ...input, table: `mesh_${index}` }).text);
    nft(['-c', '-f', '-'], texts.join(''));
  });

  it('is the same for the same peers in another order', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const reversed = { ...input, peers: input.peers.toReversed() };
        assert.equal(compileNode({ ...reversed, table: 'mesh' }).text, compileNode({ ...input, table: 'mesh' }).text);
      }),
    );
  });

  it('becomes another one by the elements in which they differ', () => {
    const pairs = fc.sample(fc.tuple(anyInput, anyPeers), 60);
    const script = pairs.map(([input, peers], index) => {
      const before = compileNode({ ...input, table: `changed_${index}` });
      const after = compileNode({ ...input, peers, table: `changed_${index}` });
      const whole = compileNode({ ...input, peers, table: `whole_${index}` });
      const change = tableChange(before, after);
      assert.ok(change !== undefined);
      return `${before.text}${change}${whole.text}`;
    });
    const listed = nft(['-f', '-'], script.join(''), 'nft list ruleset');
    const tables = new Map(listed.split(/^table inet /m).map((table) => [table.split(' ')[0], elementsIn(table)]));
    for (const index of pairs.keys()) {
      assert.deepEqual(tables.get(`changed_${index}`), tables.get(`whole_${index}`));
    }
    assert.ok([...tables.values()].some((elements) => elements.length > 0));
  });
});

describe('the sets of the policy', () => {
  it('open what the terms say, on the node and behind it', () => {
    fc.assert(
      fc.property(anyPeers, anyPacket, fc.nat({ max: 5 }), (peers, packet, index) => {
        const peer = peers[index];
        const family = packet.to.includes(':') ? 6 : 4;
        const source = peer?.addresses[family === 4 ? 0 : 1] ?? '192.0.2.1';
        const opens = (allow: readonly string[]) => covers(allow.map(checkedAllow), packet.protocol, packet.port);
        const sets = aclSets(peers);
        const found = (place: 'on' | 'behind') =>
          isFound([sets[`${place}_any${family}`], sets[`${place}_icmp${family}`], sets[`${place}_ports${family}`]], {
            ...packet,
            from: source,
            ...(place === 'on' ? { to: '' } : {}),
          });
        assert.equal(found('on'), opens(peer?.terms.allow ?? []));
        const behind = peer?.terms.forward.filter(({ to }) => containsAddress(checkedNetwork(to), packet.to)) ?? [];
        assert.equal(
          found('behind'),
          behind.some(({ allow }) => opens(allow)),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('deciding', () => {
  it('takes the first rule that ends it, read one by one', () => {
    fc.assert(
      fc.property(anyRules, anyPacket, (rules, packet) => {
        const first = rules.find((rule) => rule.action !== 'log' && speaksAbout(rule, packet));
        const decision = decide(hostRules(rules, 'mesh0'), packet);
        assert.equal(decision.action, first?.action ?? 'none');
        assert.equal(decision.rule, first?.id);
        assert.deepEqual(decision.rate, first?.rate);
      }),
      { numRuns: 1_000 },
    );
  });

  it('comes to the same without the rules that a review finds useless', () => {
    fc.assert(
      fc.property(anyRules, anyPacket, (rules, packet) => {
        const useless = reviewRules(hostRules(rules, 'mesh0')).filter(({ kind }) => kind !== 'conflict');
        for (const { rule: id } of useless) {
          // A rate or a log that is there twice does count twice.
          if (rules.some((rule) => rule.id === id && (rule.rate !== undefined || rule.action === 'log'))) continue;
          const fewer = rules.filter((rule) => rule.id !== id);
          assert.equal(
            outcome(decide(hostRules(fewer, 'mesh0'), packet)),
            outcome(decide(hostRules(rules, 'mesh0'), packet)),
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

/** Whether it passes, below and above each rate on the way. */
function outcome({ action, above }: Decision): string {
  return above === undefined ? String(action !== 'drop') : `${action !== 'drop'} ${outcome(above)}`;
}

/** A rule as a reader would take it, word by word. */
function speaksAbout(rule: FirewallRule, packet: Packet): boolean {
  const name = rule.interface === 'mesh0' ? 'mesh' : rule.interface;
  const within = (networks: readonly string[] | undefined, address: string) =>
    networks?.some((network) => containsAddress(checkedNetwork(network), address)) ?? true;
  const onPort = rule.ports?.some((ports) => {
    const [first = 0, last = first] = ports.split('-').map(Number);
    return packet.port !== undefined && first <= packet.port && packet.port <= last;
  });
  return (
    rule.direction === packet.direction &&
    (name === 'any' || name === packet.interface) &&
    within(rule.from, packet.from) &&
    within(rule.to, packet.to) &&
    (rule.protocol === 'any' || rule.protocol === packet.protocol) &&
    (onPort ?? true)
  );
}

/** Looks the packet up as the kernel does: each part of an element against its part of the packet. */
function isFound([any, icmp, ports]: readonly (readonly string[] | undefined)[], packet: Packet): boolean {
  const addresses = [packet.from, packet.to].filter((address) => address !== '');
  const among = (elements: readonly string[] | undefined, key: readonly string[]) =>
    elements?.some((element) => element.split(' . ').every((part, at) => isWithin(part, key[at] ?? ''))) ?? false;
  return (
    among(any, addresses) ||
    (packet.protocol === 'icmp' && among(icmp, addresses)) ||
    among(ports, [...addresses, packet.protocol, String(packet.port)])
  );
}

function isWithin(part: string, value: string): boolean {
  if (part === value) return true;
  if (part.includes('/')) return containsAddress(checkedNetwork(part), value);
  const [, first, last] = /^(\d+)-(\d+)$/.exec(part) ?? [];
  return first !== undefined && Number(first) <= Number(value) && Number(value) <= Number(last);
}

function merged(texts: readonly string[]): readonly string[] {
  return mergeAllows(texts.map((text) => parseAllow(text)).filter((allow) => allow !== undefined));
}

function withoutAbsent<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Partial<T>;
}

function elementsIn(table: string): readonly string[] {
  return [...table.matchAll(/set (\S+) \{[^}]*elements = \{([^}]*)\}/g)].flatMap(([, name, elements = '']) =>
    elements
      .split(',')
      .map((element) => `${name} ${element.trim()}`)
      .toSorted(),
  );
}

/** In a network namespace of its own, which goes with it: nothing of the machine is touched. */
function nft(args: readonly string[], input: string, then = 'true'): string {
  const script = `nft ${args.join(' ')} && ${then}`;
  return execFileSync('unshare', ['--net', 'sh', '-c', script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
}
