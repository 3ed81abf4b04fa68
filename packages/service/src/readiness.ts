import type { Readiness } from '@meshwork/contract';
import type { Journal } from '@meshwork/store';
import type { Clock } from '@meshwork/time';

/** Probes are frequent and need no credentials, so the store is asked at most this often. */
const ASK_AGAIN_MS = 1000;
const PATIENCE_MS = 2000;

type Check = Readiness['checks'][number];

interface ReadinessParts {
  readonly journal: Pick<Journal, 'ping'>;
  readonly clock: Clock;
  /** Further checks. */
  readonly checks: readonly (() => Check | Promise<Check>)[];
  readonly isClosing: () => boolean;
}

/** Answers whether a service can serve, and if not, why. */
export function readinessOf({ journal, clock, checks, isClosing }: ReadinessParts): () => Promise<Readiness> {
  let asked: { at: number; problem: Promise<string | null> } | undefined;
  return async () => {
    const now = clock.monotonic();
    if (asked === undefined || now - asked.at > ASK_AGAIN_MS) asked = { at: now, problem: problemOf(journal) };
    const store = await asked.problem;
    const results = [
      { name: 'store', ok: store === null, detail: store },
      ...(await Promise.all(checks.map((check) => check()))),
      checked('running', !isClosing(), 'shutting down'),
    ];
    return { ready: results.every(({ ok }) => ok), checks: results };
  };
}

/** Whether memory matches the store. */
export function memoryCheck(name: string, source: { readonly upToDate: boolean }): () => Check {
  return () => checked(name, source.upToDate, 'the store does not respond, so what is in memory may be outdated');
}

function checked(name: string, ok: boolean, otherwise: string): Check {
  return { name, ok, detail: ok ? null : otherwise };
}

async function problemOf(journal: ReadinessParts['journal']): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS} ms`), PATIENCE_MS);
  });
  try {
    return await Promise.race([journal.ping().then(() => null), late]);
  } catch {
    return 'the store cannot be reached'; // the reason may name hosts and users, and probes need no credentials; the log has it
  } finally {
    clearTimeout(timer);
  }
}
