import type { Readiness } from '@meshwork/contract';
import type { Mesh } from './mesh/mesh.ts';

/** A probe is asked for often and by anyone, so the store is asked at most this often. */
const ASK_AGAIN_MS = 1000;
const PATIENCE_MS = 2000;

/** Answers whether the coordinator can serve, and if not, why. */
export function readinessOf(mesh: Mesh, isClosing: () => boolean): () => Promise<Readiness> {
  let asked: { at: number; problem: Promise<string | null> } | undefined;
  const storeProblem = (): Promise<string | null> => {
    const now = mesh.clock.monotonic();
    if (asked === undefined || now - asked.at > ASK_AGAIN_MS) asked = { at: now, problem: problemOfStore(mesh) };
    return asked.problem;
  };
  return async () => {
    const store = await storeProblem();
    const checks = [
      { name: 'store', ok: store === null, detail: store },
      check('model', mesh.upToDate, 'the store has been silent for too long to trust what is in memory'),
      check('running', !isClosing(), 'shutting down'),
    ];
    return { ready: checks.every(({ ok }) => ok), checks };
  };
}

function check(name: string, ok: boolean, otherwise: string): Readiness['checks'][number] {
  return { name, ok, detail: ok ? null : otherwise };
}

async function problemOfStore(mesh: Mesh): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer within ${PATIENCE_MS} ms`), PATIENCE_MS);
  });
  try {
    return await Promise.race([mesh.journal.ping().then(() => null), late]);
  } catch {
    return 'the store cannot be reached'; // the reason may name hosts and users, and anyone may ask; the log has it
  } finally {
    clearTimeout(timer);
  }
}
