import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Abilities } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import type { EngineHost, OpenEngine } from '../engines/engine.ts';
import { ENGINES } from '../engines/engines.ts';
import { claimInterface } from '../host/interface-claim.ts';
import { runCommand } from '../host/run-command.ts';
import { sweepWatchTables } from '../probes/watch-table.ts';
import { hostAbilities } from './abilities.ts';

export interface OpenEngines {
  readonly engines: readonly OpenEngine[];
  readonly abilities: Abilities;
}

/** Those of this host. `folder` is the agent's own, in which engines get one of theirs. */
export async function openEngines({ folder, ...host }: EngineHost): Promise<OpenEngines> {
  const place = { ...host, folder: await runFolder(folder) };
  const engines: OpenEngine[] = [];
  for (const engine of ENGINES) engines.push(await engine.open(place));
  return { engines, abilities: await hostAbilities(engines) };
}

/** Takes away all that agents ever made on this host. The packet filter goes last: nothing is open without it. */
export async function removeDataPlane(folder: string): Promise<void> {
  const claim = await claimInterface(MESH_INTERFACE);
  try {
    const run_folder = await runFolder(folder);
    for (const engine of ENGINES) await engine.mayRemove?.(run_folder);
    await sweepWatchTables(runCommand);
    for (const engine of ENGINES.toReversed()) await engine.remove(run_folder);
  } finally {
    await claim.release();
  }
}

async function runFolder(folder: string): Promise<string> {
  const run_folder = join(folder, 'run');
  await mkdir(run_folder, { recursive: true, mode: 0o700 });
  return run_folder;
}
