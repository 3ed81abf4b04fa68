import { StoreError, type StoreFault } from '../store-error.ts';

// https://sqlite.org/rescode.html; the low byte of an extended code is its primary code.
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const IOERR_FSYNC = 1034;
const IOERR_DIR_FSYNC = 1290;
const CONSTRAINT_PRIMARYKEY = 1555;
const CONSTRAINT_UNIQUE = 2067;

const FAULTS: ReadonlyMap<number, StoreFault> = new Map([
  [BUSY, 'unavailable'],
  [LOCKED, 'unavailable'],
  [READONLY, 'unavailable'],
  [IOERR, 'unavailable'],
  [CANTOPEN, 'unavailable'],
  [CORRUPT, 'damaged'],
  [NOTADB, 'damaged'],
  [FULL, 'full'],
]);

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

/** Names the fault of an error of SQLite or the file system. Anything else is a bug of ours and goes on as it is. */
export function withFault(error: unknown, file: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = resultCode(error);
  const fault = code === undefined ? fileFault(error) : FAULTS.get(code & 0xff);
  if (fault === undefined) return error;
  const detail = code === undefined ? '' : ` (SQLite ${code})`;
  return new StoreError(fault, `the store ${file}: ${error.message}${detail}`, { cause: error });
}

function fileFault(error: Error): StoreFault | undefined {
  if (!('syscall' in error) || !('code' in error)) return undefined;
  return error.code === 'ENOSPC' || error.code === 'EDQUOT' ? 'full' : 'unavailable';
}

export function isBusy(error: unknown): boolean {
  return ((resultCode(error) ?? 0) & 0xff) === BUSY;
}

export function isDuplicate(error: unknown): boolean {
  const code = resultCode(error);
  return code === CONSTRAINT_UNIQUE || code === CONSTRAINT_PRIMARYKEY;
}

/**
 * After a failed sync it is unknown which pages reached the disk: a later sync may succeed without them, and after a crash the
 * commit may turn out to be there.
 */
export function isFailedSync(error: unknown): boolean {
  const code = resultCode(error);
  return code === IOERR_FSYNC || code === IOERR_DIR_FSYNC;
}
