/** Nodes that try a real coturn, from networks that block more and more. */
import assert from 'node:assert/strict';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { meshCa } from '../../test/mesh-ca.ts';
import { until } from '../../test/namespaces.ts';
import {
  access,
  RELAY_ADDRESS,
  type RelayHost,
  type RelaySide,
  relayHost,
  serverSection,
} from '../../test/relay-host.ts';
import { makeRequest } from '../certificate-requests/make-request.ts';

const TLS = { port: 443, server_name: 'git-1.mesh', trust: 'mesh' } as const;
const reachable = () => access({ relay: { tls: TLS } });

describe('a relay is proven', { timeout: 120_000 }, () => {
  let host: RelayHost;
  let agent: RelaySide;
  let node: RelaySide;
  let root: string;
  before(async () => {
    host = await relayHost();
    [agent, node] = [host.agent(), host.client()];
    root = await certify();
    await agent.call('apply', serverSection({ tls: { port: 443, certificate: 'mesh' } }));
    await until('a packet comes back', async () => (await node.call('prove', reachable(), [root])).via === 'udp');
  });
  after(() => host[Symbol.asyncDispose]());
  afterEach(() => host.node.run('nft', ['flush', 'ruleset']));

  /** A certificate of the node by an authority of its own, whose root it answers with. */
  async function certify(): Promise<string> {
    const [ca, { private_key, request }] = [await meshCa(), await makeRequest()];
    const folder = join(host.state, 'tls', `g-${Math.random().toString().slice(2)}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'cert.pem'), await ca.sign(request));
    await writeFile(join(folder, 'key.pem'), private_key);
    await rm(join(host.state, 'tls', 'current'), { force: true });
    await symlink(folder, join(host.state, 'tls', 'current'));
    return ca.root;
  }

  /** On what the node sends. */
  async function block(...rules: readonly string[]): Promise<void> {
    const chain = `chain out {\n type filter hook output priority 0\n ${rules.join('\n ')}\n }`;
    await host.node.run('nft', ['-f', '-'], { input: `table inet blocked {\n ${chain}\n}\n` });
  }
  const NO_UDP = 'meta l4proto udp reject';
  const ONLY_443 = 'tcp dport != 443 reject';

  it('by TCP where UDP is blocked, and by TLS where all but port 443 is', async () => {
    await block(NO_UDP);
    assert.deepEqual(await node.call('prove', reachable(), [root]), { via: 'tcp' });
    await block(ONLY_443);
    assert.deepEqual(await node.call('prove', reachable(), [root]), { via: 'tls' });
    await assert.rejects(node.call('prove', access(), [root]), /udp to 203.0.113.9: .*tcp to 203.0.113.9: /);
  });

  it('by TLS only with a certificate of the mesh, for the node that runs it', async () => {
    await block(NO_UDP, ONLY_443);
    const { root: foreign } = await meshCa();
    await assert.rejects(
      node.call('prove', reachable(), [foreign]),
      /tls to 203.0.113.9: .*(?:self-signed|verify|issuer)/,
    );
    const other = access({ relay: { tls: { ...TLS, server_name: 'git-2.mesh' } } });
    await assert.rejects(node.call('prove', other, [root]), /tls to 203.0.113.9: .*git-2.mesh/);
  });

  it('with a renewed certificate, which ends no allocation', async () => {
    const relayed = await node.call('hold', access());
    await node.call('permit', [RELAY_ADDRESS]);
    const renewed = await certify();
    await agent.call('load');
    assert.equal(await node.call('send', relayed, 'still here'), 'still here');
    await node.call('release');
    await block(NO_UDP, ONLY_443);
    await until('it is shown', async () => (await node.call('prove', reachable(), [renewed])).via === 'tls');
    await assert.rejects(node.call('prove', reachable(), [root]));
    assert.equal(await agent.call('drift'), null);
  });

  it('not when it makes allocations and carries nothing', async () => {
    const chain = 'chain out {\n type filter hook output priority 0\n udp sport 49152-65535 drop\n }';
    await host.relay.run('nft', ['-f', '-'], { input: `table inet lying {\n ${chain}\n}\n` });
    await assert.rejects(node.call('prove', access(), []), /did not come back/);
    await host.relay.run('nft', ['delete', 'table', 'inet', 'lying']);
  });

  it('not when it receives at an address that is not its own, nor at an address that is never used', async () => {
    await host.node.ip('addr add 203.0.113.21/32 dev lo');
    const elsewhere = access({ relay: { host: '10.9.0.1' } });
    await assert.rejects(node.call('prove', elsewhere, []), /10.9.0.1/);
    await assert.rejects(node.call('prove', access({ relay: { host: '127.0.0.1' } }), []), /loopback/);
    await assert.rejects(node.call('prove', access({ relay: { host: 'no-such-host.invalid' } }), []), /looked up/);
  });
});
