/** Changes by other programs, in a real kernel: heard, put back and reported. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ListeningNode } from '../../test/listening-node.ts';
import { type Namespace, namespace, processesIn, until } from '../../test/namespaces.ts';
import { replaceFile } from '../engines/names/replace-file.ts';

describe('a node that listens', { timeout: 300_000 }, () => {
  let space: Namespace;
  let node: ListeningNode;
  const nft = (text: string) => space.run('nft', ['-f', '-'], { input: `${text}\n` });
  const table = () => space.run('nft', ['list', 'table', 'inet', 'mesh']).catch(() => '');

  beforeEach(async () => {
    space = await namespace();
    node = await ListeningNode.start(space);
  });
  afterEach(() => space[Symbol.asyncDispose]());

  for (const [what, text, found] of [
    ['the table is deleted', 'delete table inet mesh', /^nft \(process \d+\) deleted the table$/],
    ['all rule sets are flushed', 'flush ruleset', /^nft \(process \d+\) deleted the table$/],
    ['the table is switched off', 'add table inet mesh { flags dormant; }', /switched the table off \(dormant\)$/],
    [
      'the table is emptied',
      'flush table inet mesh',
      /^nft \(process \d+\) deleted rules \(\d+\), deleted sets \(\d+\)$/,
    ],
    ['a rule is put first', 'insert rule inet mesh policy_in accept', /^nft \(process \d+\) added rule$/],
    ['a chain gets another policy', 'add chain inet mesh output { policy drop; }', /^nft \(process \d+\) added chain$/],
    [
      'an element is added, and one is taken away',
      'add element inet mesh on_icmp4 { 192.0.2.1 }\ndelete element inet mesh on_icmp4 { 100.64.0.2 }',
      /added element, deleted element/,
    ],
  ] as const) {
    it(`puts the packet filter back when ${what}, and says which process did it`, async (context) => {
      const whole = await table();
      const from = performance.now();
      await nft(text);
      await until('the table is whole again', async () => (await table()) === whole);
      context.diagnostic(
        `${what}: whole again after ${Math.round(performance.now() - from)} ms, with the nft that changed it`,
      );
      await node.repaired('firewall', found);
    });
  }

  for (const [what, command, found] of [
    ['the interface is down', 'link set mesh0 down', /mesh0 is down/],
    ['an address is gone', 'address delete 100.64.0.1/32 dev mesh0', /address 100\.64\.0\.1\/32 is missing/],
    [
      'a route is gone',
      'route delete 100.64.0.0/10 dev mesh0 table 7400',
      /route 100\.64\.0\.0\/10 dev mesh0 is missing/,
    ],
    [
      'a route leads elsewhere',
      'route add 100.64.9.0/24 dev lo table 7400',
      /route 100\.64\.9\.0\/24 dev lo should not/,
    ],
    ['a rule is gone', 'rule delete pref 7403', /rule pref 7403 .* is missing/],
    ['the MTU is another', 'link set mesh0 mtu 1300', /mesh0 has MTU 1300/],
  ] as const) {
    it(`puts the network back when ${what}`, async (context) => {
      const state = async () =>
        (
          await Promise.all(
            [['address', 'show', 'mesh0'], ['rule'], ['-6', 'rule'], ['route', 'show', 'table', '7400']].map((args) =>
              space.run('ip', args),
            ),
          )
        )
          .join()
          .replaceAll(/ state \w+| linkdown/g, '');
      const whole = await state();
      const from = performance.now();
      await space.ip(command);
      await node.repaired('self', found);
      await until('the network is whole again', async () => (await state()) === whole);
      context.diagnostic(`${what}: whole again after ${Math.round(performance.now() - from)} ms`);
    });
  }

  it('puts names back when another program writes the file, or replaces it', async () => {
    const path = join(space.run_folder, 'hosts');
    const whole = await readFile(path, 'utf8');
    assert.match(whole, /100\.64\.0\.2 a\.mesh a/);
    for (const [text, change] of [
      ['127.0.0.1 localhost\n', (file: string, text: string) => writeFile(file, text)],
      ['127.0.1.1 here\n', replaceFile],
    ] as const) {
      const seen = node.lines.length;
      await change(path, text);
      await node.repaired('peers', /the names of the mesh are not in/, seen);
      await until('the names are back', async () => (await readFile(path, 'utf8')).includes('a.mesh'));
      assert.ok((await readFile(path, 'utf8')).startsWith(text), 'what others wrote stays');
    }
  });

  it('does not take its own changes for those of others', async () => {
    const seen = node.lines.length;
    await nft('delete table inet mesh');
    await node.repaired('firewall', /deleted/, seen);
    await node.check();
    assert.equal(node.lines.slice(seen).filter(({ repaired }) => repaired !== undefined).length, 1);
  });

  it('hears again when its listener was killed, and finds what happened meanwhile', async () => {
    const [listener = 0] = await processesIn(space, 'perl');
    process.kill(listener, 'SIGSTOP'); // it hears nothing from here on
    await nft('delete table inet mesh');
    process.kill(listener, 'SIGKILL');
    await node.repaired('firewall', /the table is not there/);
    await until('the table is back', async () => (await table()) !== '');
    const seen = node.lines.length;
    await until('another one listens', async () => (await processesIn(space, 'perl')).some((pid) => pid !== listener));
    await nft('delete table inet mesh');
    await node.repaired('firewall', /deleted the table|not there/, seen);
  });

  it('has no listener left when it was killed', async () => {
    assert.equal((await processesIn(space, 'perl')).length, 1);
    node.child.kill('SIGKILL');
    await until('the listener has ended', async () => (await processesIn(space, 'perl')).length === 0);
  });

  it('does not claim to filter while another program deletes the table all the time, and does when that is over', async () => {
    const stopped = new AbortController();
    let deletions = 0;
    const fight = (async () => {
      while (!stopped.signal.aborted) {
        await nft('delete table inet mesh').then(
          () => deletions++,
          () => undefined,
        );
        await pause(10);
      }
    })();
    try {
      await node.line(
        'the section has an error',
        ({ applied, error }) => applied === 'firewall' && error !== undefined,
      );
    } finally {
      stopped.abort();
      await fight;
    }
    await until('it filters, and claims so', async () => {
      await node.check();
      const last = node.lines.findLast(({ applied }) => applied === 'firewall');
      return last?.error === undefined && (await table()) !== '';
    });
    const repairs = node.lines.filter(({ repaired }) => repaired !== undefined).length;
    assert.ok(repairs <= deletions, `${repairs} repairs of ${deletions} deletions`);
  });

  it('says that the packet filter is not known to be in effect when nft cannot be run any more', async () => {
    const program = (await space.run('which', ['nft'])).trim();
    await space.run('mount', ['--bind', '/dev/null', program]);
    await node.check();
    const { error } = await node.line(
      'the section has an error',
      ({ applied, error }) => applied === 'firewall' && error !== undefined,
    );
    assert.match(error ?? '', /nft/);
    await space.run('umount', [program]);
    await until('it is applied again', async () => {
      await node.check();
      return node.lines.findLast(({ applied }) => applied === 'firewall')?.error === undefined;
    });
  });

  it('reads the rules of other programs when they change, and only then reports them', async () => {
    await nft('table inet other { chain in { type filter hook input priority -5; tcp dport 22 drop; }; }');
    const [rule] = await node.foreign((rules) => rules.length > 0);
    assert.deepEqual(rule, {
      kind: 'filter',
      direction: 'in',
      text: 'table inet other, chain in: tcp dport 22 drop',
      protocol: 'tcp',
      ports: ['22'],
    });
    await space.ip('rule add pref 100 to 100.64.0.0/10 blackhole');
    await node.foreign(
      (rules) => rules.length === 2 && rules.some(({ kind, text }) => kind === 'route' && /blackhole/.test(text)),
    );
    await nft('delete table inet other');
    await space.ip('rule delete pref 100');
    await node.foreign((rules) => rules.length === 0);
  });
});
