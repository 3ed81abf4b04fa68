/**
 * The sections of a heartbeat: what a node is sent. The answer has only the sections that changed since the revision that
 * the agent holds: an absent section is unchanged, an empty one is empty.
 *
 * Everything that lists sections derives from the table below: the heartbeat's schemas, what the coordinator sends and
 * compares, what the agent holds, keeps and applies. A new section is a row here, and its content in
 * `section-contents.ts`. The table has no schema, so that an agent can load it without them.
 */

export interface SectionRow {
  /** `node`: sent whole whenever it changes. `peer`: one record a peer, sent as all of them or as the difference. */
  readonly per: 'node' | 'peer';
  /** What an agent holds before the section was ever sent. Absent: nothing. */
  readonly empty?: null | readonly never[];
  /**
   * How its digest is made. `whole`: of its JSON, so the order counts. `records`: the sum over its records, in any order.
   * `terms`: the same, with each record counted under its peer.
   */
  readonly digest: 'whole' | 'records' | 'terms';
  /** Whether the agent reports what of it is in effect. False: what it does about it shows elsewhere. */
  readonly applied: boolean;
  /** Whether time alone can change it, without a commit. */
  readonly by_time: boolean;
  /** What an agent of version 0.1.0, which does not report its abilities, does with it. `knows`: accepts it and does nothing. */
  readonly in_0_1_0: 'carries' | 'knows' | 'refuses';
}

const whole = { per: 'node', digest: 'whole', by_time: false } as const;

/** In the order of the answer. */
export const SECTIONS = {
  self: { ...whole, applied: true, in_0_1_0: 'carries' },
  peers: { per: 'peer', digest: 'records', applied: true, by_time: false, in_0_1_0: 'carries' },
  acl: { per: 'peer', digest: 'terms', applied: true, by_time: false, in_0_1_0: 'carries' },
  firewall: { ...whole, empty: [], applied: true, in_0_1_0: 'carries' },
  relay: { ...whole, empty: null, applied: true, in_0_1_0: 'knows' },
  ingress: { ...whole, empty: [], digest: 'records', applied: true, in_0_1_0: 'knows' },
  waf: { ...whole, empty: [], digest: 'records', applied: true, in_0_1_0: 'refuses' },
  given_certificates: { ...whole, empty: [], digest: 'records', applied: true, in_0_1_0: 'refuses' },
  dns: { ...whole, empty: null, applied: true, in_0_1_0: 'refuses' },
  relays: { ...whole, empty: [], applied: false, in_0_1_0: 'refuses' },
  relay_server: { ...whole, empty: null, applied: true, in_0_1_0: 'refuses' },
  relay_access: { ...whole, empty: [], applied: false, by_time: true, in_0_1_0: 'refuses' },
  trust: { ...whole, empty: null, applied: true, in_0_1_0: 'refuses' },
  certificate: { ...whole, empty: null, applied: true, by_time: true, in_0_1_0: 'refuses' },
  commands: { ...whole, empty: [], applied: false, in_0_1_0: 'carries' },
} as const satisfies Readonly<Record<string, SectionRow>>;

type Sections = typeof SECTIONS;
export type Section = keyof Sections;
type SectionWith<Property> = { [S in Section]: Sections[S] extends Property ? S : never }[Section];
/** Sent whole whenever it changes. */
export type WholeSection = SectionWith<{ readonly per: 'node' }>;
/** About peers, one by one. */
export type PeerSection = SectionWith<{ readonly per: 'peer' }>;
/** What an agent reports as in effect. */
export type AppliedSection = SectionWith<{ readonly applied: true }>;

export const SECTION_NAMES = Object.keys(SECTIONS) as readonly Section[];
export const WHOLE_SECTIONS = sectionsWith('per', 'node') as readonly WholeSection[];
export const PEER_SECTIONS = sectionsWith('per', 'peer') as readonly PeerSection[];
export const APPLIED_SECTIONS = sectionsWith('applied', true) as readonly AppliedSection[];

export function isPeerSection(section: Section): section is PeerSection {
  return SECTIONS[section].per === 'peer';
}

function sectionsWith<P extends keyof SectionRow>(property: P, value: SectionRow[P]): readonly Section[] {
  return SECTION_NAMES.filter((name) => SECTIONS[name][property as keyof Sections[Section]] === value);
}
