/**
 * The mesh CA on a node: keeps its certificate, its private key, the roots and the revocation lists where services read them
 * (`tls-folder.ts`), and asks for a certificate when the coordinator wants that (`certificate-keys.ts`).
 */
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeRequest } from '../../certificate-requests/make-request.ts';
import { runCommand } from '../../host/run-command.ts';
import { STATE_FILES } from '../../identity/state-folder.ts';
import { messageOf } from '../../message-of.ts';
import type { Engine, EngineHost } from '../engine.ts';
import { CertificateKeys } from './certificate-keys.ts';
import { CertificatesEngine, TRAITS } from './certificates-engine.ts';
import { Reloads } from './reloads.ts';
import { TlsFolder } from './tls-folder.ts';

export const certificates: Engine = {
  ...TRAITS,
  lacks: async () => [],
  open: (host) => openCertificates(host),
  remove: async (folder) => {
    await rm(tlsFolder(folder), { recursive: true, force: true });
    await CertificateKeys.remove(folder);
    await Reloads.remove(folder);
  },
};

type Host = Pick<EngineHost, 'folder' | 'tls' | 'log' | 'now'>;

/** `parts` are for tests. */
export async function openCertificates(
  { folder, tls, log, now }: Host,
  parts = { run: runCommand, makeRequest, groups: '/etc/group' },
): Promise<CertificatesEngine> {
  const { run, groups } = parts;
  const files = new TlsFolder({ path: tlsFolder(folder), group: tls.group, groups, now });
  // A group that is missing or a full disk is no reason to end: it is reported when there is something to write.
  await files.prepare().catch((error: unknown) => log.warn(messageOf(error)));
  const keys = await CertificateKeys.open(folder, (problem) => log.warn(problem));
  const reloads = await Reloads.open({ folder, units: tls.reload, run, now, log });
  return new CertificatesEngine({ files, keys, reloads, makeRequest: parts.makeRequest }, await files.read());
}

/** Beside the folder of the engines: what services read has a short path. */
function tlsFolder(folder: string): string {
  return join(dirname(folder), STATE_FILES.tls);
}
