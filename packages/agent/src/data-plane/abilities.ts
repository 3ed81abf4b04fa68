/** What an agent can carry, as it says in its report. */
import { readFile } from 'node:fs/promises';
import type { Abilities, Section } from '@meshwork/contract';
import { SECTION_NAMES } from '@meshwork/contract/vocabulary';
import { CommandError, type RunCommand, runCommand } from '../host/run-command.ts';
import type { Engine } from '../engines/wireguard/choose-driver.ts';

/** What the engines of a host put into effect. Neither relays nor gateways have one yet. */
const HOST_SECTIONS: readonly Section[] = ['self', 'peers', 'acl', 'firewall', 'relays', 'commands'];

/** The contract's limit. */
const MAX_VERSION_LENGTH = 100;

/** Of this host, with the versions that its engines answer with. */
export async function hostAbilities(engine: Engine, run: RunCommand = runCommand): Promise<Abilities> {
  const [wireguard, nftables, iproute2] = await Promise.all([
    engine === 'kernel' ? kernelWireguard() : asked(run, 'wireguard-go', ['--version']),
    asked(run, 'nft', ['--version']),
    asked(run, 'ip', ['-V']),
  ]);
  return { sections: [...HOST_SECTIONS], engines: { wireguard, nftables, iproute2 } };
}

/** Everything is in effect as soon as it is told, because nothing is there that it could be in effect on. */
export const DRY_RUN_ABILITIES: Abilities = { sections: [...SECTION_NAMES], engines: { 'dry-run': 'simulated' } };

/** WireGuard has no version of its own in the kernel; its module says one, where it is a module. */
async function kernelWireguard(): Promise<string> {
  const release = await readFile('/proc/sys/kernel/osrelease', 'utf8');
  const version = await readFile('/sys/module/wireguard/version', 'utf8').catch(() => '');
  return shortened(`kernel ${release.trim()}${version === '' ? '' : ` (wireguard ${version.trim()})`}`);
}

/** What it says on its first line. An engine that is not there is found out by whoever needs it, and named. */
async function asked(run: RunCommand, command: string, args: readonly string[]): Promise<string> {
  try {
    const [first = ''] = (await run(command, args)).trim().split('\n', 1);
    return shortened(first === '' ? 'of no known version' : first);
  } catch (error) {
    if (error instanceof CommandError) return 'of no known version';
    throw error;
  }
}

function shortened(text: string): string {
  return text.slice(0, MAX_VERSION_LENGTH);
}
