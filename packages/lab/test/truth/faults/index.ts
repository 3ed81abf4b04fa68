/** Everything that happens to the mesh while explain is asked. */
import { AGENT_FAULTS } from './agent-faults.ts';
import { CONTROL_FAULTS } from './control-faults.ts';
import type { Fault } from './fault.ts';
import { FILTER_FAULTS } from './filter-faults.ts';
import { FOREIGN_FAULTS } from './foreign-faults.ts';
import { LINK_FAULTS } from './link-faults.ts';
import { NETWORK_FAULTS } from './network-faults.ts';

const ALL = {
  ...AGENT_FAULTS,
  ...CONTROL_FAULTS,
  ...FILTER_FAULTS,
  ...FOREIGN_FAULTS,
  ...LINK_FAULTS,
  ...NETWORK_FAULTS,
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof ALL;
export const FAULTS: Readonly<Record<FaultName, Fault>> = ALL;
export const FAULT_NAMES = Object.keys(ALL) as readonly FaultName[];
