import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readNetwork } from '@meshwork/addresses';
import type { ForeignRule } from '@meshwork/contract';
import { type Namespace, namespace } from '../../../test/namespaces.ts';
import { ForeignRouting } from './foreign-routing.ts';

const REACH = { networks: ['100.64.0.0/10', 'fd64::/48'].map(readNetwork), forwards: false };

describe('routing of other programs', { timeout: 300_000 }, () => {
  let space: Namespace;
  beforeEach(async () => {
    space = await namespace();
    await space.ip(
      'link add mesh0 type veth peer name mesh0-end',
      'link add eth0 type veth peer name eth0-end',
      'link set mesh0 up',
      'link set eth0 up',
      'address add 100.64.0.1/32 dev mesh0',
      'address add 192.168.1.5/24 dev eth0',
      'rule add pref 7400 fwmark 0x1cf2 lookup main protocol 74',
      'rule add pref 7403 lookup 7400 suppress_prefixlength 0 protocol 74',
      'route add 100.64.0.0/10 dev mesh0 table 7400',
      'route add default dev eth0',
    );
  });
  afterEach(() => space[Symbol.asyncDispose]());

  async function reported(forwards = false): Promise<readonly ForeignRule[]> {
    const routing = new ForeignRouting(space.run);
    assert.equal(routing.rules(REACH), undefined);
    await routing.look();
    return routing.rules({ ...REACH, forwards }) ?? assert.fail();
  }

  it('says nothing of what is ours, of what the kernel has, and of what cannot concern the mesh', async () => {
    await space.ip(
      'rule add pref 50 to 10.0.0.0/8 blackhole',
      'rule add pref 60 from 192.168.0.0/16 lookup 99',
      'rule add pref 70 lookup 98',
      'route add 10.9.0.0/16 dev eth0 table 98',
      'rule add pref 80 lookup main suppress_prefixlength 0',
      'rule add pref 9000 to 100.64.0.0/10 blackhole',
    );
    assert.deepEqual(await reported(), []);
  });

  it('reports what drops, or leads elsewhere', async () => {
    await space.ip(
      'rule add pref 50 to 100.64.0.9 ipproto tcp dport 22 prohibit',
      'rule add pref 60 lookup 52',
      'route add 100.64.0.0/16 dev eth0 table 52',
      'address add 100.64.0.77/32 dev eth0',
    );
    const found = await reported();
    assert.deepEqual(
      found.map(({ text: _, ...rest }) => rest),
      [
        { kind: 'route', direction: 'out', to: ['100.64.0.9/32'], protocol: 'tcp', ports: ['22'] },
        { kind: 'route', direction: 'out', to: ['0.0.0.0/0'] },
        { kind: 'address', direction: 'out', to: ['100.64.0.77/32'] },
      ],
    );
    assert.match(found[1]?.text ?? '', /^60: from all lookup 52/);
    assert.deepEqual(new Set((await reported(true)).map(({ direction }) => direction)), new Set(['out', 'forward']));
  });
});
