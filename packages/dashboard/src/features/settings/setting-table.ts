/** What each setting means to whoever changes it, in its unit, and what follows from a change that is easily regretted. */
import type { Settings } from '@meshwork/contract';

type Section = keyof Settings;
/** `nodes.stale_after_s`: every setting that is one value. The roles of surfaces are a table, and have an editor of their own. */
export type SettingPath = {
  [S in Section]: `${S}.${Exclude<keyof Settings[S] & string, 'surface_roles'>}`;
}[Section];
export type SettingValue = number | string | boolean | null;

interface Row {
  readonly label: string;
  readonly meaning: string;
  readonly kind: 'count' | 'network' | 'switch';
  /** Of a count. */
  readonly unit?: 's' | 'days' | 'requests/s' | 'requests';
  /** What no value at all means, where that is allowed. */
  readonly none?: string;
  /** What follows from a change. Null: nothing that one would regret. */
  readonly consequence?: (after: SettingValue, before: SettingValue) => string | null;
}

const isLess = (after: SettingValue, before: SettingValue) =>
  typeof after === 'number' && (before === null || (typeof before === 'number' && after < before));

/** The compiler asks for a row for each setting there is. */
export const SETTINGS: Readonly<Record<SettingPath, Row>> = {
  'tokens.max_lifetime_days': {
    label: 'Longest lifetime of a token',
    meaning: 'The longest a token may be made to live. Those that exist keep their end.',
    kind: 'count',
    unit: 'days',
  },
  'api.rate_per_s': {
    label: 'Lasting rate',
    meaning: 'Requests a second that one token may send for long. More are refused until it waits.',
    kind: 'count',
    unit: 'requests/s',
    consequence: (after) =>
      typeof after === 'number' && after < 20
        ? 'Every person in this dashboard has a token too: with so few requests a second its pages may be refused.'
        : null,
  },
  'api.burst': {
    label: 'At once',
    meaning: 'Requests that one token may send at once before the lasting rate holds.',
    kind: 'count',
    unit: 'requests',
    consequence: (after) =>
      typeof after === 'number' && after < 50 ? 'A page of this dashboard asks for many things at once.' : null,
  },
  'audit.retention_days': {
    label: 'Audit entries are kept for',
    meaning: 'Older entries are removed; the chain then begins where they ended.',
    kind: 'count',
    unit: 'days',
    none: 'For ever',
    consequence: (after, before) =>
      isLess(after, before)
        ? 'Older entries are deleted for good. Export the trail first if anybody may ask for it.'
        : null,
  },
  'nodes.address_pool': {
    label: 'IPv4 address pool',
    meaning: 'Where addresses of new nodes come from: a network of /8 to /30 that nothing else uses.',
    kind: 'network',
    consequence: () =>
      'Nodes that are there keep their addresses; new ones come from the new pool. Machines that use these addresses for something else can no longer reach it.',
  },
  'nodes.address6_prefix': {
    label: 'IPv6 prefix',
    meaning: 'Where IPv6 addresses of new nodes come from: a /64 inside fc00::/7.',
    kind: 'network',
    none: 'One made for this mesh',
    consequence: () => 'Nodes that are there keep their addresses; new ones come from the new prefix.',
  },
  'nodes.require_approval': {
    label: 'New nodes wait for approval',
    meaning: 'A node that enrols is pending until somebody approves it, and reaches nothing until then.',
    kind: 'switch',
    consequence: (after) =>
      after === false ? 'Whoever has an enrolment token brings nodes in without anybody looking.' : null,
  },
  'nodes.heartbeat_interval_s': {
    label: 'Heartbeat interval',
    meaning: 'Seconds between heartbeats of a node. A change reaches each node with its next heartbeat.',
    kind: 'count',
    unit: 's',
    consequence: (after, before) => (isLess(after, before) ? 'Every node asks the coordinator more often.' : null),
  },
  'nodes.stale_after_s': {
    label: 'Stale after',
    meaning: 'A node whose last heartbeat is older is stale. At least twice the interval.',
    kind: 'count',
    unit: 's',
    consequence: (after, before) =>
      isLess(after, before)
        ? 'Nodes on slow networks are stale sooner, and where the policy drops stale nodes, or a grant asks for fresh ones, they lose access.'
        : 'A node that has died is trusted for longer before its peers are told.',
  },
  'nodes.unreachable_after_s': {
    label: 'Unreachable after',
    meaning: 'A node whose last heartbeat is older is unreachable. More than what makes it stale.',
    kind: 'count',
    unit: 's',
    consequence: () => 'Relays, routes and ingresses move away from a node when it is called unreachable.',
  },
  'nodes.drift_after_s': {
    label: 'Drift after',
    meaning: 'How long a node may take to become what it should be, before that is called drift.',
    kind: 'count',
    unit: 's',
  },
  'nodes.removed_kept_days': {
    label: 'Removed nodes are kept for',
    meaning: 'How long the record of a removed node can still be looked at.',
    kind: 'count',
    unit: 'days',
  },
  'operations.timeout_s': {
    label: 'Operations time out after',
    meaning: 'How long an operation may take until a heartbeat proves it.',
    kind: 'count',
    unit: 's',
  },
  'operations.kept_days': {
    label: 'Operations are kept for',
    meaning: 'How long an operation can be looked at after its end.',
    kind: 'count',
    unit: 'days',
  },
  'relays.allow_special_addresses': {
    label: 'Relays at special addresses',
    meaning: 'Allow relays at loopback, link-local, multicast and metadata addresses. For labs only.',
    kind: 'switch',
    consequence: (after) => (after === true ? 'Every node sends packets to whatever address a relay is given.' : null),
  },
  'events.retention_days': {
    label: 'Events are kept for',
    meaning: 'How long those who missed events can catch up on them.',
    kind: 'count',
    unit: 'days',
  },
};

interface SettingSection {
  readonly id: Section;
  readonly title: string;
  readonly description: string;
}

export const SECTIONS: readonly SettingSection[] = [
  { id: 'nodes', title: 'Nodes', description: 'Addresses, approval, and when a silent node is called what.' },
  { id: 'operations', title: 'Operations', description: 'What is asked of nodes and has to be proven.' },
  { id: 'relays', title: 'Relays', description: 'Where relays may be.' },
  { id: 'tokens', title: 'Tokens', description: 'How long they live, and the role of one that names none.' },
  { id: 'api', title: 'Rate limits', description: 'For each token by itself; others never wait for a busy one.' },
  { id: 'audit', title: 'Audit trail', description: 'How far back it goes.' },
  { id: 'events', title: 'Events', description: 'The stream of what happens.' },
];

const PATHS = Object.keys(SETTINGS) as readonly SettingPath[];

export function settingsOf(section: Section): readonly SettingPath[] {
  return PATHS.filter((path) => path.startsWith(`${section}.`));
}

export function valueAt(settings: Settings, path: SettingPath): SettingValue {
  const [section, field] = partsOf(path);
  return (settings[section] as Readonly<Record<string, SettingValue>>)[field] ?? null;
}

export function partsOf(path: SettingPath): readonly [section: Section, field: string] {
  const dot = path.indexOf('.');
  return [path.slice(0, dot) as Section, path.slice(dot + 1)];
}
