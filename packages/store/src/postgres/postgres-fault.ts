import pg from 'pg';
import { StoreError, type StoreFault } from '../store-error.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const DISK_FULL = '53100';
const UNIQUE_VIOLATION = '23505';
const DAMAGED = ['XX001', 'XX002'];
/** Being read-only (a standby), locks that did not come, sessions ended for idling, and failed input or output. */
const UNAVAILABLE = ['25006', '25P03', '42501', '3D000', '55P03', '57P05', '58030'];
/** Lost connections, wrong passwords, rollbacks to be tried again, exhausted resources, an operator's intervention. */
const UNAVAILABLE_CLASSES = ['08', '28', '40', '53', '57'];

/** Names the fault of an error that a connection gave. A statement that the server finds wrong goes on as it is. */
export function withFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const fault = error instanceof pg.DatabaseError ? faultOf(error.code ?? '') : 'unavailable';
  return fault === undefined ? error : new StoreError(fault, `PostgreSQL: ${textOf(error)}`, { cause: error });
}

export function isDuplicate(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION;
}

function faultOf(code: string): StoreFault | undefined {
  if (code === DISK_FULL) return 'full';
  if (DAMAGED.includes(code)) return 'damaged';
  if (UNAVAILABLE.includes(code) || UNAVAILABLE_CLASSES.includes(code.slice(0, 2))) return 'unavailable';
  return undefined;
}

/** A host name with several addresses fails with one error for each, and no text of its own. */
function textOf(error: Error): string {
  if (error instanceof AggregateError) return error.errors.map((each: unknown) => String(each)).join('; ');
  return error.message;
}
