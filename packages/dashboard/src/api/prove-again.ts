/** Some operations need a fresh proof of identity. `session/` provides the dialog that asks for it. */
import { createContext, use } from 'react';

export type ProveAgain = <T>(run: () => Promise<T>) => Promise<T>;

export const ProveAgainContext = createContext<ProveAgain>((run) => run());

/** Runs a request. When the panel wants a proof first, asks the person and runs it once more. */
export function useProveAgain(): ProveAgain {
  return use(ProveAgainContext);
}
