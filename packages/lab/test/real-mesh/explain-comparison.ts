/** Holds an answer of explain against a real connection. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type Explanation, MESH_INTERFACE } from '@meshwork/contract';
import type { Contact } from '../lab-probes.ts';
import { excuseFor, explained, type Goal, goalsOf, leadsOverCut, type Question } from './explain-questions.ts';
import { areStrangers } from './explain-roster.ts';
import { haveSession } from './explain-session.ts';
import type { World } from './explain-world.ts';

/** A packet that is dropped costs this much; one that gets through may meet a busy machine. */
const LOST_AFTER_MS = 700;
const ARRIVES_WITHIN_MS = 8000;
/** Ours: a machine on which a timer is that late has no time for WireGuard either. */
const STOOD_STILL_MS = 500;
/** Ours: links are read every ten seconds at the latest, and reported with the next heartbeat. */
const KNOWN_WITHIN_MS = 30_000;
/** Ours: as long as that, a link that could be there is waited for. */
const LINKS_TAKE_MS = 15_000;

export interface Tally {
  allowed: number;
  denied: number;
  /** By why the answer could not be known. */
  readonly unknown: Map<string, number>;
  /** Answers about a link that was cut while it was in use, which are not counted. */
  overCut: number;
  readonly disagreements: string[];
}

export function newTally(): Tally {
  return { allowed: 0, denied: 0, unknown: new Map(), overCut: 0, disagreements: [] };
}

export function claims({ allowed, denied }: Tally): number {
  return allowed + denied;
}

/** Asks before and after the connection: what changes meanwhile, such as a grant whose time is over, is asked again. */
export async function compare(world: World, question: Question, tally: Tally): Promise<void> {
  const deadline = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    const answer = await explained(world, question);
    const excuse = answer.verdict === 'unknown' ? await excused(world, { question, answer, deadline }) : undefined;
    if (excuse !== undefined) {
      tally.unknown.set(excuse, (tally.unknown.get(excuse) ?? 0) + 1);
      return;
    }
    const { found, still_ms } = await tryOut(world, question, answer);
    const after = await explained(world, question);
    const isSettled = after.verdict === answer.verdict && answer.verdict !== 'unknown';
    if (isSettled && (found.length === 0 || still_ms < STOOD_STILL_MS))
      return await count(world, { question, answer, found }, tally);
    if (performance.now() > deadline) {
      tally.disagreements.push(await report(world, { question, answer, found: [...found, `then ${after.verdict}`] }));
      return;
    }
    await pause(250);
  }
}

/** Of a link that comes up late WireGuard itself is asked, on both ends. */
async function excused(
  world: World,
  {
    question,
    answer,
    deadline,
  }: { readonly question: Question; readonly answer: Explanation; readonly deadline: number },
): Promise<string | undefined> {
  const excuse = excuseFor(world, question, answer);
  if (excuse !== undefined || performance.now() < deadline - KNOWN_WITHIN_MS + LINKS_TAKE_MS) return excuse;
  return (await haveSession(world, question.from, answer.to.name)) ? undefined : 'no handshake';
}

interface Compared {
  readonly question: Question;
  readonly answer: Explanation;
  /** What speaks against the answer. Empty: nothing. */
  readonly found: readonly string[];
}

async function count(world: World, compared: Compared, tally: Tally): Promise<void> {
  const { question, answer, found } = compared;
  // Who had a session when the link was cut may take it to be there until it is overdue.
  const isExempt = leadsOverCut(question, answer) && !areStrangers(question.from, answer.to.name);
  if (isExempt) tally.overCut += 1;
  else if (found.length > 0) tally.disagreements.push(await report(world, compared));
  else if (answer.verdict !== 'unknown') tally[answer.verdict] += 1;
}

interface Tried {
  readonly found: readonly string[];
  /** How long this machine stood still meanwhile: then a connection that fails shows nothing. */
  readonly still_ms: number;
}

async function tryOut(world: World, question: Question, answer: Explanation): Promise<Tried> {
  if (answer.verdict === 'unknown') return { found: ['everything is known'], still_ms: 0 };
  const prober = world.scene.prober(question.from);
  const timeout_ms = answer.verdict === 'allowed' ? ARRIVES_WITHIN_MS : LOST_AFTER_MS;
  const delay = monitorEventLoopDelay();
  delay.enable();
  const wrong = await Promise.all(
    goalsOf(world, question, answer).map(async (goal) => {
      const { outcome } = await prober.connect(goal.host, goal.port, { timeout_ms });
      return fits(world, goal, { answer, outcome }) ? [] : [`${goal.host}:${goal.port} (${goal.place}) ${outcome}`];
    }),
  );
  delay.disable();
  return { found: wrong.flat(), still_ms: delay.max / 1e6 };
}

/** A port without a listener refuses: the network lets the packet through, and no service is promised there. */
function fits(
  world: World,
  { place, port }: Goal,
  { answer, outcome }: { readonly answer: Explanation; readonly outcome: Contact['outcome'] },
): boolean {
  if (answer.verdict === 'denied') return outcome === 'timed out' || outcome === 'unreachable';
  if (place === null || world.isFailing(place, port)) return false;
  return outcome === (world.isListening(place, port) ? 'connected' : 'refused');
}

async function report(world: World, { question, answer, found }: Compared): Promise<string> {
  const ends = [question.from, answer.to.name].flatMap((name) => world.nodes.filter((node) => node.name === name));
  const postures = await Promise.all(ends.map(({ id }) => world.posture(id)));
  const { items: rules } = (await world.scene.client.call('firewall.list', { query: { limit: 200 } })).body;
  const wireguard = await Promise.all(
    ends.map(({ name }) => world.scene.lab.node(name).exec('wg', ['show', MESH_INTERFACE])),
  );
  const parts = {
    wireguard,
    question,
    answer,
    policy: world.policy,
    rules: rules.map(shortened),
    nodes: ends,
    postures,
  };
  return [
    `${question.from} to ${question.to} ${question.port ?? ''}: ${answer.verdict}, but: ${found.join(', ')}`,
    ...Object.entries(parts).map(([name, part]) => `  ${name}: ${JSON.stringify(part)}`),
    `  silent: ${[...world.silent].join(', ')}`,
  ].join('\n');
}

function shortened({ created_at: _, created_by: __, ...rule }: { created_at: string; created_by: unknown }) {
  return rule;
}
