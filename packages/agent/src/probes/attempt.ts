import { kindOfAddress } from '@meshwork/addresses';
import type { ProbeFlow, ProbeResult } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { CommandError, type RunCommand } from '../host/run-command.ts';
import { tryEcho } from './attempt-icmp.ts';
import { tryTcp } from './attempt-tcp.ts';
import { tryUdp } from './attempt-udp.ts';
import { familyOf } from './flow.ts';
import type { Attempt } from './outcome.ts';

type Attempted = NonNullable<ProbeResult['attempt']>;

interface AttemptOptions {
  /** Of this node in the mesh. */
  readonly addresses: readonly string[];
  readonly run: RunCommand;
  readonly signal: AbortSignal;
}

const TRIES = { tcp: tryTcp, udp: tryUdp, icmp: tryEcho } as const;

/** Sends the first packet of a flow through the mesh, and says what came back. */
export async function attempt(probe: Attempt, { addresses, run, signal }: AttemptOptions): Promise<Attempted> {
  const { from, to, protocol, port } = probe.flow;
  familyOf(probe.flow);
  if (!addresses.includes(from)) throw new Error(`${from} is not an address of this node in the mesh`);
  if (protocol !== 'icmp' && port === 0) throw new Error('a port is needed');
  const problem = await wayThroughMesh({ from, to }, run);
  if (problem !== undefined) return { outcome: 'unreachable', took_ms: 0, detail: problem };
  const since = performance.now();
  const outcome = await TRIES[protocol](probe, signal);
  return { ...outcome, took_ms: Math.round(performance.now() - since) };
}

/**
 * Throws where the host would not send it through the mesh: a probe must not reach what else the host can reach, such as its own
 * services, its local network or a cloud's metadata. Answers with the reason where it has no way at all.
 */
async function wayThroughMesh(
  { from, to }: Pick<ProbeFlow, 'from' | 'to'>,
  run: RunCommand,
): Promise<string | undefined> {
  const refusal = new Error(`this host does not send packets for ${to} through the mesh`);
  if (kindOfAddress(to) === 'unusable') throw refusal; // also where all that is not known goes into the mesh
  const routes = await routeTo({ from, to }, run);
  if (typeof routes === 'string') return routes;
  const [route] = routes;
  const isLocal = route?.type === 'local' || route?.type === 'broadcast' || route?.type === 'multicast';
  if (isLocal || route?.dev !== MESH_INTERFACE) throw refusal;
  return undefined;
}

type Routes = readonly { readonly dev?: string; readonly type?: string }[];

async function routeTo({ from, to }: Pick<ProbeFlow, 'from' | 'to'>, run: RunCommand): Promise<Routes | string> {
  try {
    return JSON.parse(await run('ip', ['-j', 'route', 'get', to, 'from', from])) as Routes;
  } catch (error) {
    if (!(error instanceof CommandError) || error.exit === 'ENOENT') throw error;
    // `RTNETLINK answers: Network is unreachable`
    return error.stderr.trim().split('\n', 1)[0]?.slice(0, 200) ?? error.message;
  }
}
