import type { Readiness } from '@meshwork/contract';
import type { Clock } from '@meshwork/service';
import type { Ledger } from './ledger/ledger.ts';

/** A probe is asked for often and by anyone, so the store is asked at most this often. */
const ASK_AGAIN_MS = 1000;
const PATIENCE_MS = 2000;

type Check = Readiness['checks'][number];

interface Parts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Whatever else has to be well: the coordinator, the pages. */
  readonly others: readonly (() => Check | Promise<Check>)[];
  readonly isClosing: () => boolean;
}

/** Answers whether the panel can serve, and if not, why. */
export function readinessOf({ ledger, clock, others, isClosing }: Parts): () => Promise<Readiness> {
  let asked: { at: number; problem: Promise<string | null> } | undefined;
  return async () => {
    const now = clock.monotonic();
    if (asked === undefined || now - asked.at > ASK_AGAIN_MS) asked = { at: now, problem: problemOfStore(ledger) };
    const store = await asked.problem;
    const checks = [
      { name: 'store', ok: store === null, detail: store },
      check('ledger', ledger.upToDate, 'the store has been silent for too long to trust what is in memory'),
      ...(await Promise.all(others.map((other) => other()))),
      check('running', !isClosing(), 'shutting down'),
    ];
    return { ready: checks.every(({ ok }) => ok), checks };
  };
}

function check(name: string, ok: boolean, otherwise: string): Check {
  return { name, ok, detail: ok ? null : otherwise };
}

async function problemOfStore({ journal }: Ledger): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS} ms`), PATIENCE_MS);
  });
  try {
    return await Promise.race([journal.ping().then(() => null), late]);
  } catch {
    return 'the store cannot be reached'; // the reason may name hosts and users, and anyone may ask; the log has it
  } finally {
    clearTimeout(timer);
  }
}
