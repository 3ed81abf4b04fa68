import { join } from 'node:path';
import { DOOR_URL } from '../keeper/door-addresses.ts';
import { nodeFolder } from '../life/lab-folder.ts';
import { ProgramFailed } from '../network/run.ts';
import type { PlannedNode } from '../plan/lab-plan.ts';
import { AgentProcess, agentEnvironment } from './agent-process.ts';
import { enrolmentFailed } from './enrolment-failed.ts';
import { loadNodeId, saveNodeId } from './node-id.ts';
import { Place } from './place.ts';

/** Ours: under a burst of enrolments each waits for its turn at the rate limit of the token. */
const ENROLS_WITHIN_MS = 120_000;

/** A node of a lab: a place with an agent. */
export class LabNode extends Place {
  readonly planned: PlannedNode;
  readonly agent: AgentProcess;
  readonly #folder: string;
  readonly #program: readonly string[];

  constructor(lab: string, planned: PlannedNode, program: readonly string[]) {
    const folder = nodeFolder(lab, planned.name);
    super(planned, join(folder, 'wireguard'));
    this.planned = planned;
    this.#folder = folder;
    this.#program = program;
    this.agent = new AgentProcess({ place: this, folder, program });
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
      ...['--coordinator', DOOR_URL, '--insecure-http', '--name', name, '--token-file', tokenFile],
      ...tags.flatMap((tag) => ['--tag', tag]),
      ...services.flatMap((service) => ['--service', service]),
      ...routes.flatMap((route) => ['--route', route]),
      ...(accept_routes === undefined ? [] : ['--accept-routes', accept_routes]),
    ];
    const environment = Object.entries(agentEnvironment(this.#folder)).map(([key, value]) => `${key}=${value}`);
    const program = [...this.#program, '--json', 'agent', 'enroll', ...flags];
    try {
      const answer = await this.exec('env', ['-i', ...environment, ...program], { timeout_ms: ENROLS_WITHIN_MS });
      return await saveNodeId(this.#folder, answer);
    } catch (error) {
      throw error instanceof ProgramFailed ? enrolmentFailed(name, error) : error;
    }
  }
}
