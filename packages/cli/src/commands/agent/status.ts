import type { AgentConfig, Readiness, SavedIdentity } from '@meshwork/agent';
import type { Command } from 'commander';
import { EXIT_CODES } from '../../exit-codes.ts';
import { Failure } from '../../failure.ts';
import type { Output } from '../../output.ts';
import { outputOf } from '../../session.ts';
import { fields } from '../../table.ts';
import { agentCommand, agentSettings } from './agent-settings.ts';
import { clearly } from './state.ts';

/** Ours: an agent that runs answers at once. */
const ANSWER_MS = 3000;

interface Status {
  readonly node: string | null;
  readonly name: string;
  readonly coordinators: readonly string[];
  /** Null: there is no answer where the agent would listen. */
  readonly agent: Readiness | null;
  /** Why not. */
  readonly problem: string | null;
}

export function agentStatus(): Command {
  return agentCommand('status', 'MESH_HEALTH_LISTEN')
    .description('Show which node this machine is, and the health of its agent. Exits with 0 if the node is ready.')
    .action(async (_options: object, command: Command) => {
      const { config } = await agentSettings(command);
      const identity = await clearly(savedIdentity(config.state_dir), 'conflict');
      const { agent, problem } = await asked(config, identity);
      const { coordinators, enrolled, wish } = identity;
      const node = enrolled?.node ?? null;
      const status: Status = { node, name: enrolled?.name ?? wish.name, coordinators, agent, problem };
      const out = outputOf(command);
      await out.result(status, () => statusText(status, out));
      if (agent?.ready !== true) process.exitCode = EXIT_CODES.failed.code;
    });
}

async function savedIdentity(path: string): Promise<SavedIdentity> {
  const { checkStateFolder, loadIdentity } = await import('@meshwork/agent');
  const found = (await checkStateFolder(path)) ? await loadIdentity(path) : undefined;
  if (found !== undefined) return found;
  const hint = 'mesh agent enroll --help';
  throw new Failure(`this machine is not enrolled: there is no node in ${path}`, {
    exit: 'failed',
    code: 'not_enrolled',
    hint,
  });
}

async function asked(config: AgentConfig, { enrolled }: SavedIdentity): Promise<Pick<Status, 'agent' | 'problem'>> {
  if (enrolled === undefined)
    return { agent: null, problem: 'its enrolment was cut short: run `mesh agent enroll` again' };
  const { health_listen } = config;
  if (health_listen === undefined)
    return { agent: null, problem: 'its agent serves no health (MESH_HEALTH_LISTEN is off)' };
  const named = health_listen.host ?? '0.0.0.0';
  const host = named === '0.0.0.0' ? '127.0.0.1' : named === '::' ? '::1' : named;
  const at = `http://${host.includes(':') ? `[${host}]` : host}:${health_listen.port}`;
  try {
    const answer = await fetch(`${at}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const agent = (await answer.json()) as Readiness;
    if (agent.node === enrolled.node) return { agent, problem: null };
    return { agent: null, problem: `what answers at ${at} is not the agent of this node` };
  } catch {
    return { agent: null, problem: `no agent answers at ${at}: is it running? systemctl status mesh-agent` };
  }
}

function statusText({ node, name, coordinators, agent, problem }: Status, out: Output): string {
  const known: [string, string][] = [
    ['node', node ?? '-'],
    ['name', name],
    ['coordinator', coordinators.join(', ')],
  ];
  if (agent === null) return fields([...known, ['problem', problem ?? 'not known']]);
  const { direct, relay, none } = agent.peers;
  return fields([
    ...known,
    ['addresses', agent.addresses.join(', ') || '-'],
    ['ready', agent.ready ? 'yes' : 'no'],
    ['heartbeat', agent.last_heartbeat ?? 'none was answered since the start'],
    ['peers', `${direct} direct, ${relay} by relay, ${none} not reached`],
    ...agent.checks.map(({ name: check, ok, detail }): [string, string] => [
      check,
      `${ok ? 'ok' : 'NOT OK'}: ${detail}`,
    ]),
  ]).replaceAll('NOT OK', out.tinted('bad', 'not ok'));
}
