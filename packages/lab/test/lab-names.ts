import { randomBytes } from 'node:crypto';

/** A name that no other test has, of this process or any other at the same time. */
export function newLabName(): string {
  return `t${process.pid.toString(36)}${randomBytes(4).toString('hex')}`;
}
