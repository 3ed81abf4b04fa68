/**
 * A mesh to look at: a fleet with names, roles and troubles, on a coordinator that has nothing in it yet.
 *
 * Below is the whole of `mesh demo`, less the coordinator. `roster.ts` says who is there, `build-demo.ts` what is made of
 * them, `everyday.ts` what goes on by itself afterwards.
 */

import { type Client, createClient } from '@meshwork/client';
import { type Node, utc, WHOLE_MESH } from '@meshwork/contract';
import { type SleepingClock, systemClock } from '@meshwork/time';
import { Fleet } from '../fleet.ts';
import { grouped, type Screen, StatusLine, withBar } from '../progress.ts';
import { buildDemo } from './build-demo.ts';
import { everyday } from './everyday.ts';
import { fleetOptionsOf, rosterOf } from './roster.ts';

export interface RunDemoOptions {
  readonly url: string;
  /** The owner's: settings are changed too. */
  readonly token: string;
  readonly nodes: number;
}

export interface RunDemoIo {
  readonly screen: Screen;
  /** Ends the demo, cleanly. Its coordinator has to be there for longer. */
  readonly signal: AbortSignal;
  readonly clock?: SleepingClock | undefined;
  readonly random?: (() => number) | undefined;
  /** Called when everything is there, before anything moves. */
  ready(): Promise<void> | void;
}

const LOOK_EVERY_MS = 1000;
const TOKEN_DAYS = 7;
/** Ours: a large demo does not need every link. */
const MAX_LINKS = 200;
/** Few enough that the list of nodes, which goes by time, keeps the order of the roster more or less. */
const CONCURRENCY = 4;
/** The rate of heartbeats is an average over so many looks: the nodes began at the same time and beat in step. */
const RATE_LOOKS = 10;

export async function runDemo({ url, token: owner, nodes }: RunDemoOptions, io: RunDemoIo): Promise<void> {
  const { screen, signal, clock = systemClock, random = Math.random } = io;
  const stopping = new AbortController(); // for what goes on in the background, also when it ends without the signal
  try {
    const token = await ownToken(createClient({ url, token: owner, signal }), clock);
    const client = createClient({ url, token, signal, user_agent: 'meshwork-demo' });
    const options = {
      urls: [url],
      token,
      max_links: MAX_LINKS,
      concurrency: CONCURRENCY,
      clock,
      random,
      signal,
    } as const;
    await using fleet = new Fleet({ ...options, ...fleetOptionsOf(rosterOf(nodes)) });
    const show = { screen, now: () => clock.now() };
    await withBar('enrolling', nodes, show, (progress) => buildDemo({ client, fleet }, nodes, progress));
    await io.ready();
    const line = new StatusLine(show);
    const trouble = (error: unknown) => line.note(`not everything goes its usual way: ${reasonOf(error)}`);
    const either = AbortSignal.any([signal, stopping.signal]);
    const living = everyday(fleet, { clock, random, signal: either, trouble });
    try {
      await watch({ client, fleet, line }, clock, signal);
    } finally {
      stopping.abort();
      await living;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** So that the trail tells what the demo did from what its user does. */
async function ownToken(client: Client, clock: SleepingClock): Promise<string> {
  const expires = utc(clock.now() + TOKEN_DAYS * 24 * 3600 * 1000);
  const body = { name: 'demo', scope: WHOLE_MESH, role: 'owner', expires };
  return (await client.call('tokens.create', { body })).body.secret;
}

interface Watched {
  readonly client: Client;
  readonly fleet: Fleet;
  readonly line: StatusLine;
}

async function watch({ client, fleet, line }: Watched, clock: SleepingClock, signal: AbortSignal): Promise<void> {
  let text = '';
  const looks = [lookAt(fleet, clock)];
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined); // the signal, which the loop looks at
    if (fleet.crash !== undefined) throw fleet.crash;
    if (signal.aborted) break;
    looks.push(lookAt(fleet, clock));
    if (looks.length > RATE_LOOKS) looks.shift();
    text = await statusText(client, rateOf(looks)).catch((error: unknown) => `cannot look: ${reasonOf(error)}`);
    if (!signal.aborted) line.update(text);
  }
  line.end(text);
}

interface Look {
  readonly heartbeats: number;
  readonly at_ms: number;
}

function lookAt(fleet: Fleet, clock: SleepingClock): Look {
  const { answers, superseded } = fleet.stats();
  return { heartbeats: answers + superseded, at_ms: clock.now() };
}

/** A second, on average from the first look to the last. */
function rateOf(looks: readonly Look[]): number {
  const [first, last] = [looks[0], looks.at(-1)];
  if (first === undefined || last === undefined || last.at_ms <= first.at_ms) return 0;
  return ((last.heartbeats - first.heartbeats) * 1000) / (last.at_ms - first.at_ms);
}

/** As the API has it, and not as the fleet knows it: `44 active  1 pending  1 stale  1 drifts  10 heartbeats/s`. */
async function statusText(client: Client, heartbeatsPerS: number): Promise<string> {
  const nodes = await Array.fromAsync(client.pages('nodes.list', { query: { limit: 200 } }));
  const byState = Map.groupBy(nodes, ({ state }: Node) => state);
  const drifting = nodes.filter(({ drift_since }) => drift_since !== null).length;
  return [
    ...[...byState].sort(([, a], [, b]) => b.length - a.length).map(([state, { length }]) => `${length} ${state}`),
    ...(drifting === 0 ? [] : [drifting === 1 ? '1 drifts' : `${drifting} drift`]),
    `${grouped(heartbeatsPerS)} heartbeats/s`,
  ].join('  ');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
