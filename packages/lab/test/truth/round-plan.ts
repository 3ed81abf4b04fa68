/** What happens in a round. All of it follows from the seed and the number of the round, so that one round can be run alone. */
import type { PolicyDocument } from '@meshwork/contract';
import { type Random, seeded } from '../seeded.ts';
import { FAULTS, type FaultName } from './faults/index.ts';
import { type Question, randomQuestion } from './questions.ts';
import { randomPolicy, times, withPeers } from './random-policy.ts';
import { BEHIND_NAT, isProvider, NAMES, ROLES, TEAMS } from './roster.ts';

export interface PlannedFault {
  readonly fault: FaultName;
  /** Empty: it happens to no single node. */
  readonly node: string;
  /** The other end, of a fault between two nodes; otherwise the same node. */
  readonly other: string;
  readonly seed: number;
}

export const PHASES = ['before', 'during', 'settled', 'mending'] as const;
export type Phase = (typeof PHASES)[number];

export interface RoundPlan {
  readonly faults: readonly PlannedFault[];
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** For the host rules, which name addresses of nodes. */
  readonly rules_seed: number;
  /** When a grant expires depends on when the round begins. */
  policy(now_ms: number): PolicyDocument;
  readonly questions: Readonly<Record<Phase, readonly Question[]>>;
}

export interface RoundsPlan {
  readonly seed: number;
  /** The kinds of faults that there are. Each appears once before any appears again. */
  readonly kinds: readonly FaultName[];
  readonly faults_a_round: number;
  readonly questions: Readonly<Record<Phase, number>>;
}

export function planRound({ seed, kinds, faults_a_round, questions }: RoundsPlan, round: number): RoundPlan {
  const random = seeded(mixed(seed, round));
  const faults = placed(random, dealt(seed, kinds, faults_a_round, round));
  const policy_seed = random.below(2 ** 32);
  const concerned = [...new Set(faults.flatMap(({ node, other }) => [node, other]))].filter((name) => name !== '');
  const lot = (phase: Phase) =>
    times(questions[phase], () => randomQuestion(random, phase === 'before' ? [] : concerned));
  return {
    faults,
    tags: new Map(NAMES.map((name) => [name, randomTags(random)])),
    rules_seed: random.below(2 ** 32),
    policy: (now_ms) => withPeers(randomPolicy(seeded(policy_seed), now_ms)),
    questions: { before: lot('before'), during: lot('during'), settled: lot('settled'), mending: lot('mending') },
  };
}

/** How many rounds it takes until each kind of fault has appeared. */
export function roundsForAll({ kinds, faults_a_round }: Pick<RoundsPlan, 'kinds' | 'faults_a_round'>): number {
  return Math.ceil(kinds.length / faults_a_round);
}

/** As from a deck that is shuffled when it has been dealt. */
function dealt(seed: number, kinds: readonly FaultName[], count: number, round: number): FaultName[] {
  const rounds = roundsForAll({ kinds, faults_a_round: count });
  const deck = shuffled(seeded(mixed(seed, -1 - Math.floor(round / rounds))), kinds);
  const at = (round % rounds) * count;
  return deck.slice(at, at + count);
}

/** Each on nodes of its own. A kind for which no node is left does not happen. */
function placed(random: Random, kinds: readonly FaultName[]): PlannedFault[] {
  const free = new Set(NAMES);
  const strict = (kind: FaultName) => (['provider', 'nat'].includes(FAULTS[kind].on ?? '') ? 0 : 1);
  return [...kinds]
    .sort((one, other) => strict(one) - strict(other)) // those that fit few nodes choose first
    .flatMap((fault) => {
      const nodes = nodesFor(random, fault, [...free]);
      if (nodes === undefined) return [];
      for (const node of nodes) free.delete(node);
      const [node = '', other = node] = nodes;
      return [{ fault, node, other, seed: random.below(2 ** 32) }];
    });
}

function nodesFor(random: Random, fault: FaultName, free: readonly string[]): readonly string[] | undefined {
  const { on } = FAULTS[fault];
  if (on === 'everyone') return [];
  const fits = shuffled(random, free).filter((name) => {
    if (on === 'provider') return isProvider(name);
    if (on === 'nat') return name === BEHIND_NAT;
    return on === undefined || name !== BEHIND_NAT;
  });
  const count = on === 'pair' ? 2 : 1;
  return fits.length < count ? undefined : fits.slice(0, count);
}

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}

/** The team makes the boundary of a node. */
function randomTags(random: Random): string[] {
  const team = random.pick([[], ...TEAMS.map((name) => [`team:${name}`])]);
  return [...team, `role:${random.pick(ROLES)}`, ...(random() < 0.4 ? ['audited'] : [])];
}

/** One seed of two numbers: neighbouring ones have nothing to do with each other. */
function mixed(seed: number, round: number): number {
  return Math.imul(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ (round + 0x7f4a7c15), 0xc2b2ae35) >>> 0;
}
