import type { Reply } from '@meshwork/client';
import { isOpen, type NodeOperation } from '@meshwork/contract';
import { Option } from 'commander';
import { waitSeconds } from '../../arguments.ts';
import type { Session } from '../../session.ts';
import { finishOperation } from './follow.ts';
import { operationFields } from './operation-fields.ts';

export interface WaitOptions {
  /** Seconds; true: however long it takes. Absent: not at all. */
  readonly wait?: number | true;
}

export function waitOption(): Option {
  return new Option('--wait [time]', 'follow it until it is verified, for so many seconds or such as 5m').argParser(
    waitSeconds,
  );
}

/** Asks for an operation, and follows it to its end where that is wanted. */
export async function startOperation(
  session: Session,
  { wait }: WaitOptions,
  ask: () => Promise<Reply<NodeOperation>>,
): Promise<void> {
  const { body } = await ask();
  if (wait !== undefined) return finishOperation(session, body, wait === true ? undefined : wait);
  await session.out.result(body, () => operationFields(body));
  if (isOpen(body.state)) session.out.notice(`\nto follow it: mesh operation wait ${body.id}`);
}
