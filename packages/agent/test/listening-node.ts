import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AppliedSection, ForeignRule, HeartbeatReply, Observed } from '@meshwork/contract';
import { type Namespace, until } from './namespaces.ts';

/** What `listening-child.ts` says. */
interface Line {
  readonly repaired?: AppliedSection;
  readonly found?: string;
  readonly applied?: AppliedSection;
  readonly error?: string;
  readonly observed?: Observed;
  readonly failed?: string;
  readonly checked?: boolean;
  readonly hears?: boolean;
}

const LISTENING_REPLY: HeartbeatReply = {
  revision: 7,
  next_s: 0,
  self: {
    name: 'git-1',
    address: '100.64.0.1/32',
    address6: 'fd64::1/128',
    tags: [],
    state: 'active',
    routes: [],
    networks: ['100.64.0.0/10', 'fd64::/48'],
  },
  peers: {
    full: [
      {
        id: 'node_a',
        name: 'a',
        wireguard_key: 'key',
        address: '100.64.0.2/32',
        address6: 'fd64::2/128',
        endpoints: [],
        relay: null,
      },
    ],
  },
  acl: { full: [{ peer: 'node_a', allow: ['tcp:22', 'icmp'], forward: [], routes: [] }] },
  firewall: [],
  relay: null,
  ingress: [],
};

/** A node that listens, in a namespace with an interface `mesh0` that is no WireGuard's. */
export class ListeningNode {
  readonly lines: Line[] = [];
  readonly child: ChildProcess;

  static async start(space: Namespace, reply: HeartbeatReply = LISTENING_REPLY): Promise<ListeningNode> {
    await space.ip('link add mesh0 type veth peer name mesh0-end', 'link set mesh0-end up');
    const node = new ListeningNode(space, reply);
    await node.foreign(() => true); // it listens, and has read what was there
    return node;
  }

  private constructor(space: Namespace, reply: HeartbeatReply) {
    const program = join(import.meta.dirname, 'listening-child.ts');
    this.child = space.spawn(process.execPath, [program, space.run_folder, JSON.stringify(reply)]);
    createInterface({ input: this.child.stdout ?? assert.fail() }).on('line', (line) =>
      this.lines.push(JSON.parse(line) as Line),
    );
  }

  /** Waits for a line, after those that were there. Answers with it. */
  async line(what: string, isIt: (line: Line) => boolean, after = 0): Promise<Line> {
    const find = () => this.lines.slice(after).find(isIt);
    await until(`${what}; it said ${JSON.stringify(this.lines.slice(-5))}`, async () => find() !== undefined);
    return find() ?? assert.fail();
  }

  async repaired(section: AppliedSection, found: RegExp, after = 0): Promise<Line> {
    return await this.line(
      `${section} is repaired: ${found}`,
      (line) => line.repaired === section && found.test(line.found ?? ''),
      after,
    );
  }

  /** The last that it reported of other programs' rules, once it is as wanted. Firewall and network report on their own. */
  async foreign(isIt: (rules: readonly ForeignRule[]) => boolean): Promise<readonly ForeignRule[]> {
    const last = () => this.lines.findLast((line) => line.observed?.foreign !== undefined)?.observed?.foreign;
    await until('the rules of other programs are reported', async () => {
      const rules = last();
      return rules !== undefined && isIt(rules);
    });
    return last() ?? assert.fail();
  }

  /** Has everything compared, as the slow look does. */
  async check(): Promise<void> {
    const after = this.lines.length;
    this.child.stdin?.write('check\n');
    await this.line('it has checked', ({ checked }) => checked === true, after);
  }
}
