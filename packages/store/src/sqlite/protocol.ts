import type { StoreFault } from '../store-error.ts';
import type { SqliteOptions } from './database.ts';
import type { ObservationFile } from './observation-file.ts';
import type { Reader } from './reader.ts';
import type { SqliteWriter } from './writer.ts';

/** What a thread of the store is for. Only the one that writes can make a commit wait. */
export type Role = 'write' | 'read' | 'observe';

/** What can be asked of each: the public methods of the class that answers there. */
export interface Answers {
  write: SqliteWriter;
  read: Reader;
  observe: ObservationFile;
}

/** What a thread is given with `call: 'open'`, before it is asked for anything else. */
export interface Start {
  readonly role: Role;
  readonly file: string;
  readonly options: SqliteOptions;
}

/** After `call: 'close'` the thread waits for the next `open`. */
export interface WorkerRequest {
  readonly id: number;
  readonly call: string;
  readonly args: readonly unknown[];
}

export type WorkerResponse =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure };

/** Errors lose their class between threads. No fault: a bug, with its own stack in `message`. */
export interface Failure {
  readonly fault: StoreFault | undefined;
  readonly message: string;
}
