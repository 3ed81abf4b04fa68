/** What a rotation costs, a sentence each. */
import type { AuthorityRole } from '@meshwork/contract';

const DAY_S = 24 * 3600;
export const NO_DEADLINE = 'none';
export const NO_HOLD = 'none';
export const HOLDS = [
  { value: NO_HOLD, label: 'None', seconds: undefined },
  { value: '1d', label: '1 day', seconds: DAY_S },
  { value: '7d', label: '7 days', seconds: 7 * DAY_S },
  { value: '30d', label: '30 days', seconds: 30 * DAY_S },
] as const;
export const DEADLINES = [
  { value: NO_DEADLINE, label: 'None', seconds: undefined },
  { value: '1h', label: '1 hour', seconds: 3600 },
  { value: '1d', label: '1 day', seconds: DAY_S },
  { value: '7d', label: '7 days', seconds: 7 * DAY_S },
] as const;

interface WantedRotation {
  readonly what: AuthorityRole;
  /** One of `DEADLINES`. */
  readonly deadline: string;
  /** One of `HOLDS`. */
  readonly hold: string;
}

const found = (deadline: string) => DEADLINES.find(({ value }) => value === deadline);

/** Undefined: nodes are waited for however long it takes. */
export function deadlineSeconds(deadline: string): number | undefined {
  return found(deadline)?.seconds;
}

/** Undefined: nothing but the proofs of nodes is waited for. */
export function holdSeconds(hold: string): number | undefined {
  return HOLDS.find(({ value }) => value === hold)?.seconds;
}

export function rotationCosts({ what, deadline, hold }: WantedRotation): readonly string[] {
  const held = holdSeconds(hold) === undefined ? undefined : HOLDS.find(({ value }) => value === hold)?.label;
  const isRoot = what === 'root';
  const after = deadlineSeconds(deadline) === undefined ? undefined : found(deadline)?.label;
  return [
    `The new ${isRoot ? 'root and its intermediate are' : 'intermediate is'} published to every node first. You can cancel until the switch.`,
    `The switch comes when every fresh node has proven by heartbeat that it trusts the new ${what}.`,
    ...(held === undefined ? [] : [`It comes no earlier than ${held} from now.`]),
    ...(after === undefined
      ? []
      : [
          `After ${after}, it comes in any case. Nodes that have not proven it by then refuse new certificates until they have.`,
        ]),
    'Overdue nodes are not waited for. They refuse new certificates until they are back.',
    ...(isRoot
      ? [
          'Machines outside the mesh that trust the root need the new trust bundle before the switch. Give them time with a minimum time: they are not waited for.',
        ]
      : []),
    'After the switch, certificates of nodes are renewed within an hour.',
  ];
}
