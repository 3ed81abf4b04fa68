/**
 * The relay that the node runs: coturn, with which nodes that cannot reach each other exchange packets that stay encrypted.
 *
 *   relay-engine.ts    what is wanted, and what is reported
 *   relay-server.ts    makes it run and proves that it answers
 *   turn-config.ts     its configuration      turn-process.ts     the process, which outlives the agent
 *   turn-places.ts     where it listens       turn-log.ts         what it says of itself
 *   relay-database.ts  what it reads again    relay-certificate.ts  what it shows over TLS
 *   relay-folder.ts    what is shared with it port-guard.ts       keeps it to ports of relays
 */
import { RememberedFolder } from '../../host/remembered-folder.ts';
import { type RunCommand, runCommand } from '../../host/run-command.ts';
import type { Engine, EngineHost } from '../engine.ts';
import { PortGuard } from './port-guard.ts';
import { RelayCertificate } from './relay-certificate.ts';
import { RelayDatabase } from './relay-database.ts';
import { RelayEngine, TRAITS } from './relay-engine.ts';
import { RelayFolder } from './relay-folder.ts';
import { RelayServer } from './relay-server.ts';
import { TurnLog } from './turn-log.ts';
import { TurnProcess } from './turn-process.ts';

export const relay: Engine = {
  ...TRAITS,
  lacks: async () => [], // only a node that is to run a relay needs coturn, and then its section says so
  open: (host) => openRelay(host),
  remove: async (folder) => {
    const remembered = rememberedIn(folder);
    const path = await remembered.read();
    if (path === undefined) return;
    const shared = new RelayFolder(path);
    await new TurnProcess({ folder: shared, log: new TurnLog(), lost: () => undefined }).end();
    await new PortGuard(runCommand).remove();
    await shared.remove();
    await remembered.forget();
  },
};

type Host = Pick<EngineHost, 'folder' | 'relay' | 'log' | 'now' | 'lost'>;

/** `run` is for tests. */
export async function openRelay(host: Host, run: RunCommand = runCommand): Promise<RelayEngine> {
  const { folder, relay: settings, log, now, lost } = host;
  await rememberedIn(folder).keep(settings.folder);
  const shared = new RelayFolder(settings.folder);
  const turn_log = new TurnLog();
  const server = new RelayServer({
    folder: shared,
    database: new RelayDatabase(shared),
    process: new TurnProcess({ folder: shared, log: turn_log, lost: () => lost(TRAITS, 'coturn ended'), run }),
    certificate: new RelayCertificate(folder, settings),
    guard: new PortGuard(run),
    turn_log,
    log,
    now,
  });
  return new RelayEngine({ server, version: () => versionOf(run), log });
}

function rememberedIn(folder: string): RememberedFolder {
  return new RememberedFolder(folder, TRAITS.name);
}

/** Undefined: it is not installed. */
async function versionOf(run: RunCommand): Promise<string | undefined> {
  const said = await run('turnserver', ['--version']).catch(() => undefined);
  return said?.trim().split('\n').at(-1)?.slice(0, 40);
}
