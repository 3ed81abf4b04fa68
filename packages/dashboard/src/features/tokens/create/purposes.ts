/** What tokens are made for, and the least that each purpose needs. Somebody who starts from here rarely gives too much. */
import { BUILT_IN_ROLES, type BuiltInRole, type Scope } from '@meshwork/contract';

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
    text: 'Prometheus or another that watches the mesh and scrapes metrics.',
    role: 'monitoring',
    lifetime: '180d',
    name: 'monitoring',
    within: {},
  },
  {
    id: 'enrolment',
    title: 'Enrolment',
    text: 'Machines that are to become nodes, a counted number of them.',
    role: 'enroller',
    lifetime: '1d',
    name: 'enrolment',
    within: {},
    uses: 1,
  },
  {
    id: 'reading',
    title: 'Reading',
    text: 'A script or a screen that only looks at the mesh.',
    role: 'viewer',
    lifetime: '90d',
    name: 'reader',
    within: {},
  },
  {
    id: 'auditing',
    title: 'Auditing',
    text: 'An archive that exports the audit trail and checks its chain.',
    role: 'auditor',
    lifetime: '90d',
    name: 'audit export',
    within: {},
  },
  {
    id: 'automation',
    title: 'Other automation',
    text: 'Choose what it has to do; the least role that can is proposed.',
    role: null,
    lifetime: '90d',
    name: 'automation',
    within: {},
  },
];

/** What the purpose needs and the person does not have: nobody can give more than they have. */
export function lackingFor({ role }: Purpose, own: readonly string[]): readonly string[] {
  return role === null ? [] : BUILT_IN_ROLES[role].permissions.filter((one) => !own.includes(one));
}

/** The person's own boundary, narrowed to what the purpose needs. */
export function scopeFor({ within }: Purpose, own: Scope): Scope {
  const narrowed = (member: keyof Scope) => (own[member] === '*' ? (within[member] ?? '*') : own[member]);
  return { team: narrowed('team'), surface: narrowed('surface'), environment: narrowed('environment') };
}
