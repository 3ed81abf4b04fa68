import type { ProbeReport } from '@meshwork/contract';
import { useState } from 'react';
import { useAction } from '../../api/actions.ts';
import { useMay } from '../../session/session.tsx';
import type { Question } from './question.ts';

export interface LiveAttempt {
  /** Undefined: the reader has no permission to have nodes try something. */
  readonly run: (() => void) | undefined;
  readonly isRunning: boolean;
  /** Of the last attempt. Null: there was none. */
  readonly error: unknown;
  readonly made: MadeAttempt | undefined;
}

interface MadeAttempt {
  readonly report: ProbeReport;
  readonly at: string;
}

/** A real attempt at what was asked. The explanation is read again with it, so that both are of the same moment. */
export function useAttempt({ from, to, port }: Question): LiveAttempt {
  const may = useMay();
  const [made, setMade] = useState<MadeAttempt>();
  const action = useAction('acls.probe', { quiet: true });
  const run = () => {
    const body = { from, to, ...(port === '' ? {} : { port }) };
    action.run({ body }).then(
      (reply) => setMade({ report: reply.body, at: new Date().toISOString() }),
      () => setMade(undefined), // shown by `error`
    );
  };
  const { isRunning, error } = action;
  return { run: may('acls:probe') ? run : undefined, isRunning, error, made };
}
