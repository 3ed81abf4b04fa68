/** What tokens are made for, and the least that each purpose needs. Starting from a purpose avoids granting too much. */
import type { BuiltInRole, Scope } from '@meshwork/contract';
import { BUILT_IN_ROLES } from '@meshwork/contract/vocabulary';

export interface Purpose {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Null: it follows from the permissions that are chosen. */
  readonly role: BuiltInRole | null;
  readonly lifetime: string;
  readonly name: string;
  /** What the boundary is narrowed to, where the person's own is wider. */
  readonly within: Partial<Scope>;
  /** How many nodes it may enrol. Absent: it enrols none. */
  readonly uses?: number;
}

export const PURPOSES: readonly Purpose[] = [
  {
    id: 'deploys',
    title: 'CI deploys',
    text: 'A pipeline that deploys behind the ingress.',
    role: 'pipeline',
    lifetime: '90d',
    name: 'ci deploy',
    within: { surface: 'ci', environment: 'production' },
  },
  {
    id: 'monitoring',
    title: 'Monitoring',
    text: 'Prometheus or another tool that monitors the mesh and scrapes metrics.',
    role: 'monitoring',
    lifetime: '180d',
    name: 'monitoring',
    within: {},
  },
  {
    id: 'enrolment',
    title: 'Enrolment',
    text: 'Enrols a limited number of machines as nodes.',
    role: 'enroller',
    lifetime: '1d',
    name: 'enrolment',
    within: {},
    uses: 1,
  },
  {
    id: 'reading',
    title: 'Reading',
    text: 'A script or display that only reads.',
    role: 'viewer',
    lifetime: '90d',
    name: 'reader',
    within: {},
  },
  {
    id: 'auditing',
    title: 'Auditing',
    text: 'Exports the audit trail and verifies its chain.',
    role: 'auditor',
    lifetime: '90d',
    name: 'audit export',
    within: {},
  },
  {
    id: 'automation',
    title: 'Other automation',
    text: 'Select permissions; the smallest matching role is suggested.',
    role: null,
    lifetime: '90d',
    name: 'automation',
    within: {},
  },
];

/** What the purpose needs and the person does not have: permissions that a person lacks cannot be granted. */
export function lackingFor({ role }: Purpose, own: readonly string[]): readonly string[] {
  return role === null ? [] : BUILT_IN_ROLES[role].permissions.filter((one) => !own.includes(one));
}

/** The person's own boundary, narrowed to what the purpose needs. */
export function scopeFor({ within }: Purpose, own: Scope): Scope {
  const narrowed = (member: keyof Scope) => (own[member] === '*' ? (within[member] ?? '*') : own[member]);
  return { team: narrowed('team'), surface: narrowed('surface'), environment: narrowed('environment') };
}
