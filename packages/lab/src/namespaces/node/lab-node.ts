import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../write-whole.ts';
import { doorOf } from '../keeper/door-addresses.ts';
import { LabError, type LabFault } from '../lab-error.ts';
import { nodeFolder } from '../life/lab-folder.ts';
import { ProgramFailed } from '../network/run.ts';
import { type LabPlan, type PlannedNode, plannedNode } from '../plan/lab-plan.ts';
import { AgentProcess, agentEnvironment } from './agent-process.ts';
import { Place } from './place.ts';

/** Ours: under a burst of enrolments each waits for its turn at the rate limit of the token. */
const ENROLS_WITHIN_MS = 120_000;
/** Exit codes of `mesh` whose cause the operator of the lab can remedy. */
const FAULTS: Readonly<Record<number, LabFault>> = { 2: 'usage', 3: 'not_permitted', 5: 'conflict' };
/** Which node of the mesh a node of the lab has become. Saved in the folder of the node. */
const ID_FILE = 'node.json';

/** A node of a lab: a place with an agent. */
export class LabNode extends Place {
  readonly agent: AgentProcess;
  readonly #lab: { readonly plan: LabPlan };
  readonly #folder: string;
  readonly #program: readonly string[];

  /** `lab`: whose plan says where the node is, which may change. */
  constructor(lab: { readonly plan: LabPlan }, name: string, program: readonly string[]) {
    const folder = nodeFolder(lab.plan.name, name);
    super(plannedNode(lab.plan, name), join(folder, 'wireguard'));
    this.#lab = lab;
    this.#folder = folder;
    this.#program = program;
    this.agent = new AgentProcess({ place: this, folder, program });
  }

  get planned(): PlannedNode {
    return plannedNode(this.#lab.plan, this.name);
  }

  /** Where the others see it, outside of the mesh. */
  get address(): string {
    return this.planned.address;
  }

  /** What its agent has written. */
  logs(): Promise<string> {
    return this.agent.logs();
  }

  /** Which node of the mesh it is. Undefined: it is not enrolled. */
  id(): Promise<string | undefined> {
    return loadNodeId(this.#folder);
  }

  /** As an operator would do it on the node, and answers with its id. The token is in a file that only root can read. */
  async enrol(tokenFile: string): Promise<string> {
    const { name, tags, services, routes, accept_routes } = this.planned;
    const flags = [
      ...[
        '--coordinator',
        doorOf(this.#lab.plan.underlay).url,
        '--insecure-http',
        '--name',
        name,
        '--token-file',
        tokenFile,
      ],
      ...tags.flatMap((tag) => ['--tag', tag]),
      ...services.flatMap((service) => ['--service', service]),
      ...routes.flatMap((route) => ['--route', route]),
      ...(accept_routes === undefined ? [] : ['--accept-routes', accept_routes]),
    ];
    const environment = Object.entries(agentEnvironment(this.#folder)).map(([key, value]) => `${key}=${value}`);
    const program = [...this.#program, 'agent', 'enroll', '--json', ...flags];
    try {
      const answer = await this.exec('env', ['-i', ...environment, ...program], { timeout_ms: ENROLS_WITHIN_MS });
      return await saveNodeId(this.#folder, answer);
    } catch (error) {
      throw error instanceof ProgramFailed ? enrolmentFailed(name, error) : error;
    }
  }
}

async function saveNodeId(folder: string, answer: string): Promise<string> {
  const { node } = JSON.parse(answer) as { readonly node: string };
  await writeWhole(join(folder, ID_FILE), JSON.stringify({ node })); // others look for it at any time
  return node;
}

/** Undefined: it is not enrolled. */
async function loadNodeId(folder: string): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(folder, ID_FILE), 'utf8')) as { readonly node: string }).node;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Why a node could not be enrolled, in the words of the program that tried, which ran with `--json`. */
function enrolmentFailed(node: string, failure: ProgramFailed): LabError {
  const fault = FAULTS[failure.exit ?? 0] ?? 'failed';
  return new LabError(fault, `${node} could not be enrolled: ${detailOf(failure)}`, { cause: failure });
}

function detailOf({ stderr, message }: ProgramFailed): string {
  try {
    const { detail } = JSON.parse(stderr) as { readonly detail?: unknown };
    return typeof detail === 'string' ? detail : message;
  } catch {
    return message; // it did not get as far as saying it in JSON
  }
}
