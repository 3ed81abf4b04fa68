/** Real attempts at what explain was asked about. */
import type { Explanation } from '@meshwork/contract';
import { ProgramFailed } from '../../src/namespaces/network/run.ts';
import type { Attempt } from './judge.ts';
import { destinationOf, type Question } from './questions.ts';
import { bare, type World } from './world.ts';

/** A packet that is dropped costs this much. One that should get through may meet a busy machine, and is sent three times. */
const LOST_AFTER_MS = 500;
const ARRIVES_WITHIN_MS = 4000;

interface Target {
  readonly address: string;
  readonly port: string;
}

export async function attempt(world: World, question: Question, answer: Explanation): Promise<readonly Attempt[]> {
  const targets = await targetsOf(world, question, answer);
  const timeout_ms = answer.verdict === 'allowed' ? ARRIVES_WITHIN_MS : LOST_AFTER_MS;
  if (targets.length === 0) {
    return [{ address: destinationOf(world, question), passed: false, outcome: 'the name does not resolve' }];
  }
  return await Promise.all(targets.map((target) => tryOne(world, question.from, { ...target, timeout_ms })));
}

/** A service that is not reached must not be reached on any node that offers it. */
async function targetsOf(world: World, { from, about, port }: Question, answer: Explanation): Promise<Target[]> {
  if (about.kind === 'name') return await byName(world, { from, name: about.node, port: port ?? '' }, answer);
  if (about.kind !== 'service') return [{ address: destinationOf(world, { from, about, port }), port: port ?? '' }];
  const offering = world.nodes.flatMap(({ id, name, service_bindings }) =>
    service_bindings
      .filter((binding) => binding.name === about.name)
      .map((binding) => ({ id, name, port: `tcp:${binding.port}` })),
  );
  const meant = offering.filter(({ id, name }) =>
    answer.verdict === 'denied' ? name !== from : answer.to.id === null || answer.to.id === id,
  );
  return (await Promise.all(meant.map((one) => byName(world, { from, ...one }, answer)))).flat();
}

/** At the addresses that a client on the source finds, and where it finds none, at those that the node has. */
async function byName(
  world: World,
  { from, name, port }: { readonly from: string; readonly name: string; readonly port: string },
  { verdict }: Explanation,
): Promise<Target[]> {
  const found = await world.prober(from).lookup(`${name}.mesh`);
  const { address, address6 } = world.node(name);
  const addresses = found.length > 0 || verdict === 'allowed' ? found : [bare(address), bare(address6)];
  return addresses.map((one) => ({ address: one, port }));
}

async function tryOne(
  world: World,
  from: string,
  { address, port, timeout_ms }: Target & { readonly timeout_ms: number },
): Promise<Attempt> {
  if (world.off.has(from)) return { address, passed: false, outcome: 'the host is off' };
  const [protocol = '', number = ''] = port.split(':');
  if (protocol === 'icmp') return { address, ...(await ping(world, { from, address, timeout_ms })) };
  const options = { protocol: protocol === 'udp' ? 'udp' : 'tcp', timeout_ms } as const;
  const { outcome } = await world.prober(from).connect(address, Number(number), options);
  // Refused: it arrived, an answer came back, and nothing listens there. No service is promised.
  return { address, passed: outcome === 'connected' || outcome === 'refused', outcome };
}

async function ping(
  world: World,
  { from, address, timeout_ms }: { readonly from: string; readonly address: string; readonly timeout_ms: number },
): Promise<Pick<Attempt, 'passed' | 'outcome'>> {
  try {
    await world.host(from).exec('ping', ['-n', '-q', '-c', '1', '-w', `${Math.ceil(timeout_ms / 1000)}`, address]);
    return { passed: true, outcome: 'answered' };
  } catch (error) {
    if (!(error instanceof ProgramFailed) || (error.exit !== 1 && error.exit !== 2)) throw error;
    return { passed: false, outcome: error.exit === 1 ? 'timed out' : 'unreachable' };
  }
}
