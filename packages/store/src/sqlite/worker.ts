/** A thread of the embedded store: answers each request with one synchronous call, in the order they come. */
import { parentPort, workerData } from 'node:worker_threads';
import { StoreError } from '../store-error.ts';
import type { Failure, Start, WorkerRequest, WorkerResponse } from './protocol.ts';
import { withFault } from './sqlite-fault.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** What answers, and how to let go of the file. */
interface Answering {
  readonly answers: object;
  close(): void;
}

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');
const start: Start = workerData;
const open = await { read: toRead, write: toWrite, observe: toObserve }[start.role]();
const opened = answer(0, open);

port.on('message', (request: WorkerRequest) => {
  if (opened === undefined || request.call === 'close') {
    answer(request.id, () => opened?.close());
    port.close();
    return;
  }
  answer(request.id, () => {
    const call: Call = Reflect.get(opened.answers, request.call);
    return call.apply(opened.answers, [...request.args]);
  });
});

// Each role loads only what it needs: loading is most of what starting a thread takes.

async function toRead(): Promise<() => Answering> {
  const { Reader } = await import('./reader.ts');
  return () => {
    const reader = new Reader(start.file);
    return { answers: reader, close: () => reader.close() };
  };
}

async function toWrite(): Promise<() => Answering> {
  const [database, { SqliteWriter }] = await Promise.all([import('./database.ts'), import('./writer.ts')]);
  return () => {
    const { db, claim } = database.openToWrite(start.file, start.options);
    const close = () => {
      db.close();
      claim.release();
    };
    return { answers: new SqliteWriter(db), close };
  };
}

async function toObserve(): Promise<() => Answering> {
  const [database, { ObservationFile }] = await Promise.all([import('./database.ts'), import('./observation-file.ts')]);
  return () => {
    const db = database.openObservations(start.file, start.options);
    return { answers: new ObservationFile(db), close: () => db.close() };
  };
}

function answer<T>(id: number, work: () => T): T | undefined {
  let value: T | undefined;
  let reply: WorkerResponse;
  try {
    value = work();
    reply = { id, value: id === 0 ? undefined : value };
  } catch (error) {
    reply = { id, failure: describe(withFault(error, start.file)) };
  }
  port?.postMessage(reply);
  return value;
}

function describe(error: unknown): Failure {
  if (error instanceof StoreError) return { fault: error.fault, message: error.message };
  return { fault: undefined, message: error instanceof Error ? String(error.stack) : String(error) };
}
