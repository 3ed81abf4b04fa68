import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SECTION_NAMES } from '@meshwork/contract';
import { arrayOf, object, string } from '@meshwork/contract/answers';
import { CommandError, type RunCommand } from '../host/run-command.ts';
import { DRY_RUN_ABILITIES, hostAbilities } from './abilities.ts';

test('a host carries what its engines put into effect, with the versions that they answer with', async () => {
  const { sections, engines } = await hostAbilities('userspace');
  assert.deepEqual(sections, ['self', 'peers', 'acl', 'firewall', 'relays', 'commands']);
  assert.match(engines.nftables ?? '', /^nftables v\d/);
  assert.match(engines.iproute2 ?? '', /^ip utility, iproute2-/);
  assert.match(engines.wireguard ?? '', /^wireguard-go v\d/);
  assert.match((await hostAbilities('kernel')).engines.wireguard ?? '', /^kernel \d/);
});

test('an engine that does not say its version is named without one, and no text is longer than it may be', async () => {
  const run: RunCommand = async (command) => {
    if (command === 'nft') throw new CommandError('nft', 1, 'no');
    return `${'x'.repeat(300)}\nmore`;
  };
  const { engines } = await hostAbilities('userspace', run);
  assert.equal(engines.nftables, 'of no known version');
  assert.equal(engines.iproute2, 'x'.repeat(100));
});

test('a dry run says that it simulates everything', () => {
  assert.deepEqual(DRY_RUN_ABILITIES.sections, SECTION_NAMES);
  assert.equal(object({ sections: arrayOf(string), engines: object({}) })(DRY_RUN_ABILITIES), undefined);
});
