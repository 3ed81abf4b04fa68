import { MESH_INTERFACE } from '@meshwork/contract';
import { wordsOf } from './questions.ts';
import type { Observation, Round } from './round.ts';
import type { Phase } from './round-plan.ts';

/** Where WireGuard's process is stopped, `wg` waits for it. */
const WG_ANSWERS_WITHIN_MS = 1000;

/** Everything that is needed to understand a disagreement, and to see it again. */
export async function describeDisagreement(
  { world, number, faults: all, replay }: Round,
  { phase, question, answer, attempts, faults, started_ms, ended_ms }: Observation & { readonly phase: Phase },
): Promise<string> {
  const ends = [question.from, answer.to.name].flatMap((name) => world.nodes.filter((node) => node.name === name));
  const facts: Record<string, unknown> = {
    replay,
    attempts,
    'after the faults began, in ms': all.map((fault) => ({
      fault: fault.words,
      concerns: faults.includes(fault),
      started: Math.round(started_ms - fault.begun_ms),
      ended: Math.round(ended_ms - fault.begun_ms),
      put_back: fault.put_back_ms === null ? null : Math.round(fault.put_back_ms - fault.begun_ms),
    })),
    answer,
    policy: world.policy,
    rules: await world.scene.client
      .call('firewall.list', { query: { limit: 200 } })
      .then(({ body }) => body.items, String),
  };
  for (const { name, id } of ends) {
    if (world.off.has(name)) continue;
    facts[`posture of ${name}`] = await world.posture(id).catch(String);
    facts[`wg on ${name}`] = await world
      .host(name)
      .exec('wg', ['show', MESH_INTERFACE, 'dump'], { timeout_ms: WG_ANSWERS_WITHIN_MS })
      .then(peersOf, String);
  }
  return [
    `round ${number}, ${phase}: ${wordsOf(world, question)}: ${answer.verdict}, but ${attempts.map(({ address, outcome }) => `${address} ${outcome}`).join(', ')}`,
    ...Object.entries(facts).map(
      ([name, fact]) => `  ${name}: ${typeof fact === 'string' ? fact : JSON.stringify(fact)}`,
    ),
  ].join('\n');
}

/** Without the first line, which has the private key. */
function peersOf(dump: string): readonly string[] {
  const lines = dump.trimEnd().split('\n').slice(1);
  return lines.map((line) =>
    line
      .split('\t')
      .filter((_, index) => index !== 1)
      .join(' '),
  );
}
