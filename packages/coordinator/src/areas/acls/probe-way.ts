/**
 * A real attempt between two nodes, beside what explain says of it. Where the way is watched, the far end looks out for the packets
 * before the near end sends them, so that the answer says where they ended and which rule decided.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseAddress } from '@meshwork/addresses';
import type { Explanation, NodeId, ProbeFlow, ProbeReport, ProbeResult } from '@meshwork/contract';
import { formatWanted, PING, type Wanted } from '@meshwork/policy';
import { answersProbes } from '../../mesh/abilities.ts';
import type { Stored } from '../../mesh/model.ts';
import type { Watched } from '../../probes/probe-desk.ts';
import type { Runtime } from '../runtime.ts';
import type { Asking } from './asking.ts';
import { freshExplanation } from './explain-reach.ts';
import { addressIn } from './name-families.ts';
import { conclude } from './probe-conclusion.ts';

/** Ours: all of it stays within a second where both ends answer. */
const ANSWER_WITHIN_MS = 400;
const WATCH_MS = 1500;
const NODE_ANSWERS_WITHIN_MS = 1000;
/** Ours: where the ports begin that no service and no ephemeral port has. */
const SOURCE_PORTS = [20_000, 30_000] as const;

export interface ProbedWay {
  readonly source: Stored<'node'>;
  /** Where to: in the mesh, or behind it. */
  readonly address: string;
  readonly wanted: Wanted | null;
  /** Absent: the far end watches. Without it, an attempt that gets no answer says less, and costs half as much. */
  readonly unwatched?: boolean;
}

export async function probeWay(asking: Asking, way: ProbedWay): Promise<ProbeReport> {
  const { source, address, wanted, unwatched = false } = way;
  const { runtime } = asking;
  const from = performance.now();
  const question = { from: source.id, to: address, port: wanted };
  const explanation = await freshExplanation(asking, question);
  const done = (tried: Omit<ProbeReport, 'explanation' | 'took_ms' | 'agrees'>): ProbeReport => ({
    ...tried,
    agrees: agreement(explanation, tried.reality),
    explanation,
    took_ms: Math.round(performance.now() - from),
  });
  const obstacle = obstacleTo(runtime, source, explanation);
  if (obstacle !== undefined) return done({ reality: 'unknown', reason: obstacle, attempt: null, arrival: null });
  const far = runtime.mesh.model.get('node', explanation.to.id ?? '');
  if (far === undefined) throw new Error('The far end was found to be a node.');
  const flow = flowTo(source, address, wanted ?? PING);
  const { attempt, watched } = await tryOut(runtime, { source, far, flow, unwatched });
  const path = runtime.statuses.of(far.id as NodeId).links?.get(source.id as NodeId)?.path ?? null;
  const behind = address !== far.body.address && address !== far.body.address6;
  return done(conclude({ source: source.body.name, far: far.body.name, address, behind, path }, attempt, watched));
}

/** Why no attempt can be made. Undefined: one can. */
function obstacleTo({ mesh }: Runtime, source: Stored<'node'>, { from, to }: Explanation): string | undefined {
  const { name } = source.body;
  if (to.id === null)
    return `No node that you may see has ${to.name} or forwards there, so there is no way through the mesh to try.`;
  if (to.id === from.id) return `${name} reaches itself without the mesh, so there is nothing to try.`;
  if (!answersProbes(mesh.model, source.id, 'attempt')) {
    return `The agent of ${name} makes no attempts: it is older, or its operator switched probes off.`;
  }
  return undefined;
}

interface TriedFlow {
  readonly source: Stored<'node'>;
  readonly far: Stored<'node'>;
  readonly flow: ProbeFlow;
  readonly unwatched: boolean;
}

async function tryOut(
  { probes, mesh }: Runtime,
  { source, far, flow, unwatched }: TriedFlow,
): Promise<{ attempt: ProbeResult | undefined; watched: ProbeResult | undefined }> {
  const isWatched = !unwatched && answersProbes(mesh.model, far.id, 'watch');
  const watch = isWatched
    ? probes.watch(far.id as NodeId, { watch: { flow, for_ms: WATCH_MS } }, WATCH_MS + NODE_ANSWERS_WITHIN_MS)
    : NOT_WATCHED;
  await Promise.race([watch.begun, elapsed(NODE_ANSWERS_WITHIN_MS)]);
  const attempt = await probes.ask(
    source.id as NodeId,
    { attempt: { flow, within_ms: ANSWER_WITHIN_MS } },
    ANSWER_WITHIN_MS + NODE_ANSWERS_WITHIN_MS,
  );
  const isDecided = attempt?.attempt?.outcome === 'connected' || attempt?.attempt?.outcome === 'refused';
  const watched = await Promise.race([watch.ended, elapsed(isDecided ? SOON_MS : WATCH_MS)]);
  return { attempt, watched: watched ?? undefined };
}

/** Ours: what the far end saw of an attempt that succeeded is good to know, and not worth waiting for. */
const SOON_MS = 300;
const NOT_WATCHED: Watched = { begun: Promise.resolve(undefined), ended: Promise.resolve(undefined) };

function elapsed(ms: number): Promise<undefined> {
  return pause(ms, undefined, { ref: false });
}

function flowTo(source: Stored<'node'>, to: string, { protocol, port }: Wanted): ProbeFlow {
  const from = addressIn(source, parseAddress(to)?.family);
  const source_port = protocol === 'icmp' ? 0 : randomInt(...SOURCE_PORTS);
  return { from, to, protocol, port, source_port };
}

/** Null: one of the two is unknown. A verdict with a condition holds up to a rate, which one attempt does not show. */
function agreement({ verdict, conditions }: Explanation, reality: ProbeReport['reality']): boolean | null {
  if (verdict === 'unknown' || reality === 'unknown') return null;
  const isAsSaid = (verdict === 'allowed') === (reality === 'passed');
  return conditions.length > 0 && !isAsSaid ? null : isAsSaid;
}

/** `tcp:22`, as the question is written again. */
export function portText(wanted: Wanted | null): string {
  return formatWanted(wanted ?? PING);
}
