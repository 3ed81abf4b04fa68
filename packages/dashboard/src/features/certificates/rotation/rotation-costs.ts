/** What a rotation costs, a sentence each. */
import type { AuthorityRole } from '@meshwork/contract';

const DAY_S = 24 * 3600;
export const NO_DEADLINE = 'none';
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
}

const found = (deadline: string) => DEADLINES.find(({ value }) => value === deadline);

/** Undefined: nodes are waited for however long it takes. */
export function deadlineSeconds(deadline: string): number | undefined {
  return found(deadline)?.seconds;
}

export function rotationCosts({ what, deadline }: WantedRotation): readonly string[] {
  const isRoot = what === 'root';
  const after = deadlineSeconds(deadline) === undefined ? undefined : found(deadline)?.label;
  return [
    `The new ${isRoot ? 'root and its intermediate are' : 'intermediate is'} published to every node first. You can cancel until the switch.`,
    `The switch comes when every fresh node has proven by heartbeat that it trusts the new ${what}.`,
    ...(after === undefined
      ? []
      : [
          `After ${after}, it comes in any case. Nodes that have not proven it by then refuse new certificates until they have.`,
        ]),
    'Overdue nodes are not waited for. They refuse new certificates until they are back.',
    ...(isRoot
      ? [
          'Machines outside the mesh that trust the root need the new trust bundle before the switch. They are not waited for.',
        ]
      : []),
    'After the switch, certificates of nodes are renewed within an hour.',
  ];
}
