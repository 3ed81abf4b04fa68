import { randomBytes } from 'node:crypto';
import { type SleepingClock, systemClock } from '@meshwork/time';
import { FAULTS } from './faulty-data-plane.ts';
import { Fleet, type FleetOptions } from './fleet.ts';
import type { FleetStats } from './fleet-stats.ts';
import { type FleetIdentity, loadIdentities } from './identities.ts';
import { grouped, type Screen, StatusLine, withBar } from './progress.ts';

export interface RunFleetOptions {
  readonly url: string;
  /** May enrol nodes; with `churn` also remove them. */
  readonly token: string;
  readonly nodes: number;
  readonly tags?: readonly string[] | undefined;
  /** So many nodes each get a team of their own, `team:<prefix>-<n>`. Absent: all are in the boundary of the token. */
  readonly team_size?: number | undefined;
  /** Changes a minute: most of them moves, one in ten a join, one in ten a leave. */
  readonly churn_per_min?: number | undefined;
  /** Nodes that misbehave, each kind in turn. */
  readonly fail?: number | undefined;
  readonly storm_every_s?: number | undefined;
  /** A file to come back from, and to come back to later. */
  readonly state_file?: string | undefined;
  /** What names begin with. Absent: something that was not used before. */
  readonly prefix?: string | undefined;
  /** Of the first node, as it is. Absent: it has the prefix and a number, as all others. */
  readonly name?: string | undefined;
}

export interface RunFleetIo {
  readonly screen: Screen;
  /** Ends the fleet, cleanly: its nodes go silent and stay enrolled. */
  readonly signal: AbortSignal;
  readonly clock?: SleepingClock | undefined;
}

const LOOK_EVERY_MS = 1000;

/** The whole of `mesh fleet`: enrols, runs, shows how it goes, and stops with its signal. Answers with how it was then. */
export async function runFleet(options: RunFleetOptions, io: RunFleetIo): Promise<FleetStats> {
  const { screen, signal, clock = systemClock } = io;
  const fleet = new Fleet(fleetOptions(options, signal, clock));
  const saved = await savedIdentities(options);
  let stats = fleet.stats();
  try {
    await assemble(fleet, saved, options.nodes, { screen, now: () => clock.now() });
    begin(fleet, options);
    await watch(fleet, options.storm_every_s, { screen, signal, clock });
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // However it ended: the file lists the nodes that are enrolled now.
    if (options.state_file !== undefined) await fleet.save(options.state_file);
    stats = fleet.stats();
    await fleet.close();
  }
  return stats;
}

async function savedIdentities({ state_file }: RunFleetOptions): Promise<readonly FleetIdentity[]> {
  return state_file === undefined ? [] : ((await loadIdentities(state_file)) ?? []);
}

function fleetOptions(options: RunFleetOptions, signal: AbortSignal, clock: SleepingClock): FleetOptions {
  const { url, token, tags = [], team_size, name } = options;
  const { prefix = name ?? `sim-${randomBytes(2).toString('hex')}` } = options;
  const teamOf = (index: number) =>
    team_size === undefined ? [] : [`team:${prefix}-${Math.floor(index / team_size) + 1}`];
  return {
    urls: [url],
    token,
    name: (index) => (index === 0 && name !== undefined ? name : `${prefix}-${index + 1}`),
    tags: (index) => [...tags, ...teamOf(index)],
    clock,
    signal,
  };
}

/** Those that were saved come back, and the rest is enrolled. */
async function assemble(
  fleet: Fleet,
  saved: readonly FleetIdentity[],
  nodes: number,
  show: { readonly screen: Screen; readonly now: () => number },
): Promise<void> {
  await withBar('returning', saved.length, show, (progress) => fleet.resume(saved, progress));
  const missing = Math.max(0, nodes - saved.length);
  await withBar('enrolling', missing, show, (progress) => fleet.join(missing, progress));
}

function begin(fleet: Fleet, { churn_per_min = 0, fail = 0 }: RunFleetOptions): void {
  for (const [index, node] of fleet.some(fail).entries()) fleet.fail([node], FAULTS[index % FAULTS.length]);
  if (churn_per_min === 0) return;
  fleet.churn({ moves: churn_per_min * 0.8, joins: churn_per_min * 0.1, leaves: churn_per_min * 0.1 });
}

async function watch(
  fleet: Fleet,
  storm_every_s: number | undefined,
  { screen, signal, clock }: Required<RunFleetIo> & { clock: SleepingClock },
): Promise<void> {
  const line = new StatusLine({ screen, now: () => clock.now() });
  let before = { stats: fleet.stats(), at: clock.now() };
  let text = statusText(before, before);
  let stormAt = clock.now() + (storm_every_s ?? Number.POSITIVE_INFINITY) * 1000;
  while (!signal.aborted) {
    await clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined); // the signal, which the loop looks at
    if (fleet.crash !== undefined) throw fleet.crash;
    if (clock.now() >= stormAt && !signal.aborted) {
      const from = clock.now();
      await fleet.storm();
      line.note(`all connections dropped; all nodes were back after ${((clock.now() - from) / 1000).toFixed(1)} s`);
      stormAt = clock.now() + (storm_every_s ?? 0) * 1000;
    }
    const now = { stats: fleet.stats(), at: clock.now() };
    text = statusText(before, now);
    line.update(text);
    before = now;
  }
  line.end(text);
}

interface Look {
  readonly stats: FleetStats;
  readonly at: number;
}

function statusText(before: Look, { stats, at }: Look): string {
  const perSecond = (count: (stats: FleetStats) => number) =>
    grouped((count(stats) - count(before.stats)) / Math.max(0.001, (at - before.at) / 1000));
  const troubles = [
    [stats.stale, 'stale'],
    [stats.retrying, 'retrying'],
    [stats.faulty, 'faulty'],
    [stats.silent, 'silent'],
    [stats.ended, 'ended'],
  ] as const;
  return [
    `${grouped(stats.nodes)} nodes`,
    `${grouped(stats.active)} active`,
    ...troubles.filter(([count]) => count > 0).map(([count, word]) => `${grouped(count)} ${word}`),
    `${perSecond(({ answers, superseded }) => answers + superseded)} heartbeats/s`,
    `${perSecond(({ deliveries }) => deliveries)} changes/s`,
    `revision ${stats.revision.highest}`,
  ].join('  ');
}
