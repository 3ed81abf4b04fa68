import { randomBytes } from 'node:crypto';
import { MESH_DOMAIN, SERVICE_DOMAIN } from '@meshwork/contract/vocabulary';
import { CommandError, type RunCommand } from '../../../host/run-command.ts';
import type { MeshDns } from '../mesh-dns.ts';

/** Ours: longer than a resolver takes to try its other servers. */
const WITHIN_MS = 10_000;

/**
 * Looks up a name that was never there before, in the way in which any program of the host does. Only the server of this agent
 * knows it, and has to have been asked.
 */
export async function proveByLookUp(dns: MeshDns, run: RunCommand): Promise<string | undefined> {
  const name = `${randomBytes(8).toString('hex')}.probe.${SERVICE_DOMAIN}`;
  const { zone, server, addresses } = dns;
  const asked = new Set<string>();
  zone.probe = { name, addresses };
  server.asked = (one) => asked.add(one);
  try {
    const found = await run('getent', ['ahosts', `${name}.${MESH_DOMAIN}`], { timeout_ms: WITHIN_MS });
    const strange = found.split('\n').map((line) => line.split(/\s/, 1)[0] ?? '');
    if (strange.some((address) => address !== '' && !addresses.includes(address))) {
      return 'another server answers for the mesh';
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    if (error.exit === 'ENOENT') return 'it cannot be proven without getent';
    return asked.size === 0 ? 'a look-up did not reach the agent' : 'the answer of the agent was not taken';
  } finally {
    zone.probe = undefined;
    server.asked = undefined;
  }
}
