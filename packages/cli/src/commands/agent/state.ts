import type { StateFolder } from '@meshwork/agent';
import type { Exit } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';

/** How the program ends when another agent has the folder: for one that wants to run, that one is it. */
type InUse = Extract<Exit, 'gone' | 'conflict'>;

/** Does something with the state folder, alone. */
export async function withStateFolder<T>(
  path: string,
  inUse: InUse,
  act: (folder: StateFolder) => Promise<T>,
): Promise<T> {
  const { openStateFolder } = await import('@meshwork/agent');
  const folder = await clearly(openStateFolder(path), inUse);
  try {
    return await clearly(act(folder), inUse);
  } finally {
    folder.close();
  }
}

/** What is wrong with the folder or a file in it, as a failure that says what to do. */
export async function clearly<T>(work: Promise<T>, inUse: InUse): Promise<T> {
  const { StateError } = await import('@meshwork/agent');
  return await work.catch((error: unknown) => {
    if (!(error instanceof StateError)) throw error;
    const { fault, message } = error;
    const code = `state_${fault}`;
    if (fault !== 'in_use') throw new Failure(message, { exit: 'failed', code, cause: error });
    const hint = 'stop that one first: systemctl stop mesh-agent';
    throw new Failure(message, { exit: inUse, code, hint, cause: error });
  });
}
