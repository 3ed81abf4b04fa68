import { readlinkSync } from 'node:fs';

/** The kernel gives the first namespace of processes this number on every machine (linux/proc_ns.h). */
const FIRST = 'pid:[4026531836]';
let answer: boolean | undefined;

/** Whether processes have the numbers here that the kernel announces them by. Not so in most containers. */
export function seesGlobalPids(): boolean {
  answer ??= readlinkSync('/proc/self/ns/pid') === FIRST;
  return answer;
}
