/** An operation on a node, which a later heartbeat proves: requested, followed to its end, printed. */
import { setTimeout } from 'node:timers/promises';
import { isOpen, type NodeOperation, type NodeOperationWithResult } from '@meshwork/contract';
import { Option } from 'commander';
import { waitSeconds } from '../arguments.ts';
import { EXIT_CODES, type Exit } from '../exit-codes.ts';
import { ProgressLine } from '../progress-line.ts';
import type { Session } from '../session.ts';
import { operationFields } from './operation-fields.ts';

/** How long one question waits for the end: short enough to see what happens on the way. */
const ASK_S = 5;
/** Between two questions at least, when the coordinator answers without waiting. */
const PAUSE_MS = 500;

/** As it was last read, with the result of the node. */
export type Followed = NodeOperation & Partial<Pick<NodeOperationWithResult, 'result'>>;

export function waitOption(): Option {
  return new Option('--wait [time]', 'wait until it is verified; at most this long: seconds, or such as 5m').argParser(
    waitSeconds,
  );
}

/** Prints a requested operation. `wait`: seconds to follow it; true: until its end; undefined: not at all. */
export async function printOperation(
  session: Session,
  operation: NodeOperation,
  wait: number | true | undefined,
): Promise<void> {
  if (wait !== undefined) return finishOperation(session, operation, wait === true ? undefined : wait);
  await session.out.result(operation, () => operationFields(operation));
  if (isOpen(operation.state)) session.out.notice(`\nto follow it: mesh operation wait ${operation.id}`);
}

/** Follows an operation to its end, or for `limit_s`; prints how it stands then, and ends the program accordingly. */
export async function finishOperation(
  session: Session,
  operation: NodeOperation,
  limit_s: number | undefined,
  text: (last: Followed) => string = operationFields,
): Promise<void> {
  const last = await followed(session, operation, limit_s);
  await session.out.result(last, () => text(last));
  process.exitCode = EXIT_CODES[exitOf(last)].code;
}

async function followed({ client, out }: Session, operation: NodeOperation, limit_s = Infinity): Promise<Followed> {
  const until_ms = performance.now() + limit_s * 1000;
  using line = new ProgressLine(out);
  try {
    for (let current: Followed = operation; ; ) {
      const left_s = (until_ms - performance.now()) / 1000;
      if (!isOpen(current.state) || left_s <= 0) return current;
      line.show(progressOf(current));
      const asked_ms = performance.now();
      const query = { wait: Math.min(ASK_S, Math.ceil(left_s)) };
      current = (await client.call('operations.show', { params: { id: operation.id }, query })).body;
      const early_ms = PAUSE_MS - (performance.now() - asked_ms);
      if (isOpen(current.state) && early_ms > 0) await setTimeout(early_ms);
    }
  } catch (error) {
    line[Symbol.dispose]();
    out.notice(`${operation.id} continues; to follow it: mesh operation wait ${operation.id}`);
    throw error;
  }
}

function progressOf({ kind, node_name, state, waits_for }: NodeOperation): string {
  return `${kind} of ${node_name}: ${state}, until ${waits_for ?? 'it ends'} …`;
}

function exitOf({ state }: NodeOperation): Exit {
  if (isOpen(state)) return 'under_way';
  return state === 'verified' ? 'done' : 'unproven';
}
