import { useState } from 'react';
import { wasGivenUp } from '../session/given-up.ts';

interface Attempt {
  readonly running: boolean;
  readonly error: unknown;
  /** Runs it, and keeps why it did not work. */
  readonly run: (what: () => Promise<void>) => void;
}

/** Something that one tries, sees fail, and tries again. */
export function useAttempt(): Attempt {
  const [running, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const run = async (what: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    try {
      await what();
    } catch (failure) {
      if (!wasGivenUp(failure)) setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return { running, error, run: (what) => void run(what) };
}
