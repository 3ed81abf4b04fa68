/**
 * A thread of the embedded store: answers each request with one synchronous call, in the order they come. After `close` it can be
 * given another file.
 */
import { parentPort } from 'node:worker_threads';
import { StoreError } from '../store-error.ts';
import type { Failure, Role, Start, WorkerRequest, WorkerResponse } from './protocol.ts';
import { withFault } from './sqlite-fault.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** What answers, and how to let go of the file. */
interface Answering {
  readonly file: string;
  readonly answers: object;
  close(): void;
}

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker thread');
const open: Readonly<Record<Role, (start: Start) => Promise<() => Answering>>> = {
  read: toRead,
  write: toWrite,
  observe: toObserve,
};
let opened: Answering | undefined;

port.on('message', (request: WorkerRequest) => {
  if (request.call === 'open') void take(request.id, request.args[0] as Start);
  else if (request.call === 'close') close(request.id);
  else call(request);
});

/** The main thread asks for nothing else until it has the answer. */
async function take(id: number, start: Start): Promise<void> {
  const opening = await open[start.role](start);
  answer(id, start.file, () => {
    opened = opening();
  });
}

function close(id: number): void {
  const open = opened;
  opened = undefined;
  answer(id, open?.file ?? '', () => open?.close());
}

function call({ id, call, args }: WorkerRequest): void {
  answer(id, opened?.file ?? '', () => {
    if (opened === undefined) throw new Error('no file is open');
    const method: Call = Reflect.get(opened.answers, call);
    return method.apply(opened.answers, [...args]);
  });
}

// Each role loads only what it needs: loading is most of what starting a thread takes.

async function toRead({ file }: Start): Promise<() => Answering> {
  const { Reader } = await import('./reader.ts');
  return () => {
    const reader = new Reader(file);
    return { file, answers: reader, close: () => reader.close() };
  };
}

async function toWrite({ file, options }: Start): Promise<() => Answering> {
  const [database, { SqliteWriter }] = await Promise.all([import('./database.ts'), import('./writer.ts')]);
  return () => {
    const { db, claim } = database.openToWrite(file, options);
    const close = () => {
      db.close();
      claim.release();
    };
    return { file, answers: new SqliteWriter(db), close };
  };
}

async function toObserve({ file, options }: Start): Promise<() => Answering> {
  const [database, { ObservationFile }] = await Promise.all([import('./database.ts'), import('./observation-file.ts')]);
  return () => {
    const db = database.openObservations(file, options);
    return { file, answers: new ObservationFile(db), close: () => db.close() };
  };
}

function answer(id: number, file: string, work: () => unknown): void {
  let reply: WorkerResponse;
  try {
    reply = { id, value: work() };
  } catch (error) {
    reply = { id, failure: describe(withFault(error, file)) };
  }
  port?.postMessage(reply);
}

function describe(error: unknown): Failure {
  if (error instanceof StoreError) return { fault: error.fault, message: error.message };
  return { fault: undefined, message: error instanceof Error ? String(error.stack) : String(error) };
}
