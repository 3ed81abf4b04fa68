/** Actions that the trail can have, to choose from. Others can be typed: an older version may have known them. */
import { OPERATION_IDS, OPERATIONS, type Operation } from '@meshwork/contract';

/** What the coordinator does by itself. */
const BY_ITSELF = [
  'answers.forget',
  'delegations.forget',
  'fleet.end_operations',
  'installation.create',
  'installation.panel',
  'installation.recover',
  'nodes.forget',
  'operations.forget',
  'policy.lapse',
  'requests.refused',
  'tokens.announce_expiry',
];

/** Reading is in the trail only when it was refused; it stands behind what changes something. */
export const ACTIONS: readonly string[] = [
  ...OPERATION_IDS.filter(isChange),
  ...BY_ITSELF,
  ...OPERATION_IDS.filter((id) => !isChange(id)),
];

function isChange(id: keyof typeof OPERATIONS): boolean {
  const { method }: Pick<Operation, 'method'> = OPERATIONS[id];
  return method !== 'GET';
}
