import assert from 'node:assert/strict';
import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { LabNode } from '../../src/namespaces/index.ts';

const OTHER_TABLE = `table inet other {
  set some { type ipv4_addr
    elements = { 192.0.2.7, 192.0.2.8 }
  }
  chain input {
    type filter hook input priority 10; policy accept;
    ip saddr @some drop
  }
}
`;
const BEFORE = '# another program wrote this\t\n192.0.2.7   printer\tprinter.example\n\n';
const BELOW = '\n\n192.0.2.8 scanner   # and this\n';

/** What is the agent's in a hosts file. */
export const MESH_BLOCK = /# BEGIN mesh.*# END mesh\n/s;

/** Where `ip netns exec` takes the hosts file of a node from. */
function hostsFileOf({ namespace }: LabNode): string {
  return `/etc/netns/${namespace}/hosts`;
}

/**
 * Another program changes the hosts file of a node. In place, because it is a mount there, and without a pause in between: the agent
 * would take half of it for all, and then two programs would write at once.
 */
export function editHosts(node: LabNode, change: (text: string) => string): void {
  const file = openSync(hostsFileOf(node), 'r+');
  try {
    const text = change(readFileSync(file, 'latin1'));
    ftruncateSync(file, writeSync(file, text, 0, 'latin1'));
  } finally {
    closeSync(file);
  }
}

/** What others have on the machine of a node, right beside what the agent has. */
export class ForeignThings {
  readonly #node: LabNode;
  readonly #seen: Readonly<Record<string, string>>;

  private constructor(node: LabNode, seen: Readonly<Record<string, string>>) {
    this.#node = node;
    this.#seen = seen;
  }

  static async put(node: LabNode): Promise<ForeignThings> {
    await node.exec('nft', ['-f', '-'], { input: OTHER_TABLE });
    await node.exec('ip', ['route', 'add', '198.51.100.0/24', 'via', '10.213.0.1']);
    await node.exec('ip', ['route', 'add', '203.0.113.0/24', 'via', '10.213.0.1', 'table', '99']);
    await node.exec('ip', ['rule', 'add', 'pref', '7399', 'to', '203.0.113.0/24', 'lookup', '99']);
    editHosts(node, (text) => `${BEFORE}${text}${BELOW}`);
    return new ForeignThings(node, await look(node));
  }

  async assertUntouched(): Promise<void> {
    assert.deepEqual(await look(this.#node), this.#seen);
  }
}

async function look(node: LabNode): Promise<Record<string, string>> {
  const rules = (await node.exec('ip', ['rule'])).split('\n').filter((line) => !line.includes('proto 74'));
  const hosts = await readFile(hostsFileOf(node), 'latin1');
  assert.match(hosts, MESH_BLOCK);
  return {
    table: await node.exec('nft', ['list', 'table', 'inet', 'other']),
    main: await node.exec('ip', ['route', 'show', 'table', 'main']),
    other_routes: await node.exec('ip', ['route', 'show', 'table', '99']),
    rules: rules.join('\n'),
    // The block may be taken out, and is then put back at the end: what counts is the rest.
    hosts: hosts.replace(MESH_BLOCK, ''),
  };
}
