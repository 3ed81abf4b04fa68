/** One file a case: rules and peers of a node, and what becomes of them. Every bug of this folder adds one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Selectable } from '../document/selector.ts';
import type { AclPeer } from './acl-sets.ts';
import { checkRule } from './check-rule.ts';
import { compileNode, type NodeInput } from './compile-node.ts';
import { type Decision, decide, type Packet } from './decide.ts';
import { type AgentNeeds, guardAgent } from './guard.ts';
import { rulesFor } from './host-rules.ts';
import { findUnused, reviewRules } from './review.ts';
import type { FirewallRule, Rate } from './rule.ts';
import { tableChange } from './table-change.ts';

/** What a rule says that a case does not care about. */
const RULE = { enabled: true, nodes: ['*'], interface: 'any', protocol: 'any' } as const;

interface Side {
  readonly rules?: readonly (Omit<FirewallRule, keyof typeof RULE> & Partial<FirewallRule>)[];
  /** By address, or several with a space between them. */
  readonly peers?: Readonly<Record<string, Partial<AclPeer['terms']>>>;
  readonly log_denied?: Rate;
  readonly translated?: readonly string[];
}

interface Case extends Side {
  readonly about: string;
  readonly table?: string;
  readonly mesh_interface?: string;
  readonly node?: Selectable;
  readonly nodes?: readonly Selectable[];
  readonly needs?: AgentNeeds;
  readonly packets?: Readonly<Record<string, Packet>>;
  /** What the rules and peers become. */
  readonly then?: Side;
  readonly expect: Partial<Answers>;
}

interface Answers {
  readonly text: readonly string[];
  /** Those that are not empty. */
  readonly sets: Readonly<Record<string, readonly string[]>>;
  /** Limits, the chains of the host rules and the one that translates, if there is anything in them. */
  readonly blocks: Readonly<Record<string, readonly string[]>>;
  readonly holds: readonly string[];
  readonly problems: Readonly<Record<string, readonly unknown[]>>;
  readonly findings: readonly unknown[];
  readonly unused: readonly unknown[];
  readonly refusals: readonly unknown[];
  readonly decisions: Readonly<Record<string, Decision>>;
  /** Null: the whole table has to be replaced. */
  readonly change: readonly string[] | null;
  readonly error: string;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/firewall');
const CASES = globSync('*.json', { cwd: FOLDER }).toSorted();

const HIDE_PROTOCOLS = 'if [ -e /etc/protocols ]; then mount --bind /dev/null /etc/protocols; fi';

describe('a host firewall', () => {
  for (const file of CASES) {
    const given = read(file);
    it(`${basename(file, '.json')}: ${given.about}`, () => {
      const asked = Object.keys(given.expect) as readonly (keyof Answers)[];
      assert.notEqual(asked.length, 0, 'a case that expects nothing proves nothing');
      for (const name of asked) assert.deepEqual(plain(ANSWERS[name](given)), given.expect[name], name);
    });
  }

  // In network and mount namespaces of its own, which go with it: nothing of the machine is touched.
  for (const [host, prepare] of [
    ['any host', ''],
    ['a host without /etc/protocols, which a minimal Debian does not have', HIDE_PROTOCOLS],
  ] as const) {
    it(`is taken by nft in every case that compiles, on ${host}`, () => {
      const cases = CASES.map(read).filter(({ expect }) => !('error' in expect) && !('problems' in expect));
      const texts = cases.map((given, index) => compileNode({ ...inputOf(given), table: `mesh_${index}` }).text);
      const script = `${prepare}\nexec nft -c -f -`;
      execFileSync('unshare', ['--net', '--mount', 'sh', '-ec', script], { input: texts.join('') });
    });
  }
});

function read(file: string): Case {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Case;
}

const ANSWERS: { readonly [K in keyof Answers]: (given: Case) => Answers[K] } = {
  text: (given) => compileNode(inputOf(given)).text.split('\n'),
  sets: (given) =>
    Object.fromEntries(Object.entries(compileNode(inputOf(given)).sets).filter(([, elements]) => elements.length > 0)),
  blocks: (given) => blocksOf(compileNode(inputOf(given)).text),
  holds: ({ node, ...given }) => {
    assert.ok(node !== undefined);
    return rulesFor(node, rulesOf(given)).map(({ id }) => id);
  },
  problems: (given) => Object.fromEntries(rulesOf(given).map((rule) => [rule.id, checkRule(rule)])),
  findings: (given) => reviewRules(compileNode(inputOf(given)).rules),
  unused: (given) => findUnused(rulesOf(given), given.nodes ?? []),
  refusals: (given) => {
    assert.ok(given.needs !== undefined);
    return guardAgent(compileNode(inputOf(given)).rules, given.needs);
  },
  decisions: (given) => {
    const { rules } = compileNode(inputOf(given));
    return Object.fromEntries(
      Object.entries(given.packets ?? {}).map(([name, packet]) => [name, decide(rules, packet)]),
    );
  },
  change: (given) => {
    const [before, after] = [compileNode(inputOf(given)), compileNode(inputOf({ ...given, ...given.then }))];
    return tableChange(before, after)?.split('\n').slice(0, -1) ?? null;
  },
  error: (given) => {
    try {
      compileNode(inputOf(given));
    } catch (error) {
      assert.ok(error instanceof Error);
      return error.message;
    }
    throw new assert.AssertionError({ message: 'it compiles' });
  },
};

function inputOf(given: Omit<Case, 'about' | 'expect'>): NodeInput {
  return {
    table: given.table ?? 'mesh',
    meshInterface: given.mesh_interface ?? 'mesh0',
    rules: rulesOf(given),
    peers: Object.entries(given.peers ?? {}).map(([addresses, { allow = [], forward = [] }]) => ({
      addresses: addresses.split(' '),
      terms: { allow, forward },
    })),
    ...(given.log_denied === undefined ? {} : { logDenied: given.log_denied }),
    ...(given.translated === undefined ? {} : { translated: given.translated }),
  };
}

function rulesOf({ rules = [] }: Side): readonly FirewallRule[] {
  return rules.map((rule) => ({ ...RULE, ...rule }));
}

function blocksOf(text: string): Answers['blocks'] {
  const blocks = text.matchAll(/^ {2}((?:limit|chain host|chain postrouting)\S* ?\S*) \{\n((?: {4}.*\n)+) {2}\}$/gm);
  return Object.fromEntries(
    [...blocks].map(([, head, body]) => [
      head,
      `${body}`
        .trimEnd()
        .split('\n')
        .map((line) => line.trim()),
    ]),
  );
}

/** As it would be on the wire. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
