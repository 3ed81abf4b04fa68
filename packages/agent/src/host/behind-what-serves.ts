import { constants, setPriority } from 'node:os';

/** Has a process of ours that was just started wait for processor time behind those that serve people. */
export function behindWhatServes(pid: number): void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
}
