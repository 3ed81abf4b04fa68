import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECTION_NAMES } from '@meshwork/contract';
import { arrayOf, object, string } from '@meshwork/contract/answers';
import { NO_KEY, RecordedEngines } from '../../test/recorded-engines.ts';
import type { OpenEngine } from '../engines/engine.ts';
import { FirewallEngine } from '../engines/firewall/engine.ts';
import { NamesEngine } from '../engines/names/engine.ts';
import { NetworkEngine } from '../engines/network/engine.ts';
import { wireguardVersion } from '../engines/wireguard/engine.ts';
import { TunnelEngine } from '../engines/wireguard/tunnel-engine.ts';
import { PeerPlaces } from '../host/peer-places.ts';
import { CommandError, type RunCommand, runCommand } from '../host/run-command.ts';
import { changedAbilities, DRY_RUN_ABILITIES, hostAbilities } from './abilities.ts';

function enginesWith(implementation: 'kernel' | 'userspace', run: RunCommand = runCommand): readonly OpenEngine[] {
  const recorded = new RecordedEngines();
  const { firewall, tunnel, network, names } = recorded.parts;
  const version = () => wireguardVersion(implementation, run);
  const host = { key: NO_KEY, port: 51_820, accept_routes: 'subnets', now: () => 0, places: new PeerPlaces() } as const;
  return [
    new FirewallEngine({ firewall, offered: [], accept_routes: 'subnets', run }),
    new TunnelEngine({ ...host, tunnel, implementation, version }),
    new NetworkEngine({ network, accept_routes: 'subnets', run }),
    new NamesEngine(names, []),
  ];
}

test('a host carries what its engines put into effect, with the versions that they answer with', async () => {
  const { sections, engines } = await hostAbilities(enginesWith('userspace'));
  assert.deepEqual(sections, ['self', 'peers', 'acl', 'firewall', 'dns', 'relays', 'relay_access', 'commands']);
  assert.match(engines.nftables ?? '', /^nftables v\d/);
  assert.match(engines.iproute2 ?? '', /^ip utility, iproute2-/);
  assert.match(engines.wireguard ?? '', /^wireguard-go v\d/);
  assert.match((await hostAbilities(enginesWith('kernel'))).engines.wireguard ?? '', /^kernel \d/);
});

test('an engine that does not say its version is named without one, and no text is longer than it may be', async () => {
  const run: RunCommand = async (command) => {
    if (command === 'nft') throw new CommandError('nft', 1, 'no');
    return `${'x'.repeat(300)}\nmore`;
  };
  const { engines } = await hostAbilities(enginesWith('userspace', run));
  assert.equal(engines.nftables, 'of no known version');
  assert.equal(engines.iproute2, 'x'.repeat(100));
});

test('what is installed while the agent runs is noticed, and what stays as it was is no news', async () => {
  let carried: readonly 'ingress'[] = [];
  const later = {
    traits: { sections: ['ingress'] },
    versions: async () => ({ nginx: '1' }),
    carries: async () => carried,
  };
  const engines = [...enginesWith('userspace'), later as unknown as OpenEngine];
  const before = await hostAbilities(engines);
  assert.ok(!before.sections.includes('ingress'));
  assert.equal(await changedAbilities(engines, before), undefined);
  carried = ['ingress'];
  const after = (await changedAbilities(engines, before)) ?? assert.fail('it is news');
  assert.ok(after.sections.includes('ingress'));
  assert.equal(after.engines.nginx, '1');
  assert.equal(await changedAbilities(engines, after), undefined);
});

test('a program that is upgraded is news when versions are read again', async () => {
  let version = '1';
  const one = { traits: { sections: ['ingress'] }, versions: async () => ({ nginx: version }) };
  const engines = [one as unknown as OpenEngine];
  const before = await hostAbilities(engines);
  assert.equal(await changedAbilities(engines, before, 'versions'), undefined);
  version = '2';
  assert.equal(await changedAbilities(engines, before), undefined);
  assert.equal((await changedAbilities(engines, before, 'versions'))?.engines.nginx, '2');
});

test('a dry run says that it simulates everything but certificates, for which it would need keys', () => {
  const others = SECTION_NAMES.filter((name) => name !== 'trust' && name !== 'certificate');
  assert.deepEqual(DRY_RUN_ABILITIES.sections, others);
  assert.equal(object({ sections: arrayOf(string), engines: object({}) })(DRY_RUN_ABILITIES), undefined);
});
