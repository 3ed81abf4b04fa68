/** A random policy, with every part of the language in it sooner or later. */
import type { PolicyDocument } from '@meshwork/contract';
import type { Random } from '../seeded.ts';
import { METER_PORT, NAMES, ROLES, TEAMS } from './roster.ts';

type Grant = NonNullable<PolicyDocument['grants']>[number];

const GROUPS = ['one', 'two', 'three', 'four'] as const;
const NETWORKS = ['10.50.0.0/24', '10.50.0.8/29', '10.50.0.10/32', '10.50.0.128/25', '0.0.0.0/0', '10.60.0.0/16'];

export function randomPolicy(random: Random, now_ms: number): PolicyDocument {
  const groups: Record<string, string[]> = { everyone: ['*'] };
  for (const name of GROUPS) groups[name] = selectors(random, Object.keys(groups));
  const names = Object.keys(groups);
  const grants = [
    ...times(4 + random.below(5), () => grant(random, { to: random.pick(names), names, now_ms })),
    ...times(1 + random.below(3), () => networkGrant(random, { names, now_ms })),
  ];
  return { groups, grants, stale: random.pick(['keep', 'drop']) };
}

/** All nodes are peers of each other, and nothing listens on what that opens: then filters alone decide. */
export function withPeers(policy: PolicyDocument): PolicyDocument {
  const all = { from: 'everyone', to: 'everyone', allow: [`udp:${METER_PORT + 1}`] };
  return { ...policy, grants: [...(policy.grants ?? []), all] };
}

function selectors(random: Random, groups: readonly string[]): string[] {
  return [...new Set(times(1 + random.below(3), () => selector(random, groups)))];
}

function selector(random: Random, groups: readonly string[]): string {
  return random.weighted([
    [3, `tag:role:${random.pick(ROLES)}`],
    [2, `tag:team:${random.pick(TEAMS)}`],
    [3, `node:${random.pick(NAMES)}`],
    [2, `scope:${random.pick(['*', ...TEAMS])}/*/*`],
    [1, 'tag:audited'],
    [1, `group:${random.pick(groups)}`],
  ]);
}

interface Setting {
  readonly names: readonly string[];
  readonly now_ms: number;
}

function networkGrant(random: Random, { names, now_ms }: Setting): Grant {
  const open = grant(random, { to: random.pick(NETWORKS), names, now_ms });
  return random() < 0.4 ? { ...open, via: random.pick(names) } : open;
}

function grant(random: Random, { to, names, now_ms }: Setting & { readonly to: string }): Grant {
  const sometimes = <T>(chance: number, part: () => T): T | undefined => (random() < chance ? part() : undefined);
  const within = sometimes(0.2, () => 'boundary' as const);
  const when = sometimes(0.25, () => condition(random));
  const expires = sometimes(0.2, () => expiry(random, now_ms));
  return {
    from: random.pick(names),
    to,
    allow: [...random.pick(ALLOWS)],
    ...(within === undefined ? {} : { within }),
    ...(when === undefined ? {} : { when }),
    ...(expires === undefined ? {} : { expires }),
  };
}

const ALLOWS = [
  ['tcp:7001'],
  ['tcp:7002', 'icmp'],
  ['tcp:7001-7003'],
  ['tcp:7003-7999', 'tcp:7001'],
  ['tcp:*'],
  ['*'],
  ['icmp'],
  ['udp:7001-7002', 'tcp:7002'],
  ['tcp:22', 'tcp:7004'],
] as const;

function condition(random: Random): NonNullable<Grant['when']> {
  return random.pick([
    { fresh: true },
    { tag: 'audited' },
    { agent_version: '0.0.1' },
    { agent_version: '99.0.0' },
    { fresh: true, tag: 'role:dev' },
  ]);
}

/** In the past, during the round, or long after it. */
function expiry(random: Random, now_ms: number): string {
  const ahead_s = random.pick([-60, 1, 4, 8, 3600]);
  return `${new Date(now_ms + ahead_s * 1000).toISOString().slice(0, 19)}Z`;
}

export function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}
