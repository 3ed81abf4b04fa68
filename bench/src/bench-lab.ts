import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Lab, type LabNode } from '@meshwork/lab';
import { unitProgram } from '@meshwork/lab/testing';
import { BenchCoordinator } from './bench-coordinator.ts';
import { until } from './until.ts';

export interface Grant {
  readonly from: string;
  readonly to: string;
  readonly allow: readonly string[];
}

/** Made anew when the sources have changed. */
const BUNDLE = fileURLToPath(new URL('../results/agent-bundle', import.meta.url));

/** The network of a lab without enrolled nodes. `coordinator` is the address that its nodes will use. */
export async function networkAlone(coordinator: string, nodes: readonly string[]): Promise<Lab> {
  const name = `b${process.pid.toString(36)}${randomBytes(4).toString('hex')}`;
  const program = await unitProgram(BUNDLE);
  return await Lab.up({ name, nodes: nodes.map((each) => ({ name: each })), coordinator, program });
}

/** A coordinator of its own, and real nodes that join it one by one. */
export class BenchLab implements AsyncDisposable {
  readonly coordinator: BenchCoordinator;
  readonly lab: Lab;
  readonly #folder: string;

  private constructor(coordinator: BenchCoordinator, lab: Lab, folder: string) {
    this.coordinator = coordinator;
    this.lab = lab;
    this.#folder = folder;
  }

  static async start(nodes: readonly string[], settings: object = {}): Promise<BenchLab> {
    await using started = new AsyncDisposableStack();
    const coordinator = started.use(await BenchCoordinator.start({ settings }));
    const lab = started.use(await networkAlone(coordinator.url, nodes));
    const folder = await mkdtemp(join(tmpdir(), 'mesh-bench-'));
    await writeFile(join(folder, 'token'), coordinator.token, { mode: 0o600 });
    started.move();
    return new BenchLab(coordinator, lab, folder);
  }

  node(name: string): LabNode {
    return this.lab.node(name);
  }

  /** As an operator enrols a machine, up to the end of the command. */
  enrol(name: string): Promise<string> {
    return this.node(name).enrol(join(this.#folder, 'token'));
  }

  /** Enrolled, its agent running, and all in effect there that should be. */
  async join(name: string): Promise<void> {
    await this.enrol(name);
    await this.node(name).agent.start();
    await this.untilInSync(name);
  }

  async untilInSync(name: string): Promise<void> {
    const path = `/v1/nodes/${await this.node(name).id()}/posture`;
    await until(async () => {
      const { sections } = JSON.parse(await this.coordinator.ask('GET', path)) as {
        readonly sections: Readonly<Record<string, { readonly in_sync: boolean }>>;
      };
      return Object.values(sections).every(({ in_sync }) => in_sync);
    }, `${name} is what it should be`);
  }

  /** Each node is a group of its own name; `everyone` is all of them. Resolves with the answer to the write. */
  async allow(grants: readonly Grant[]): Promise<void> {
    const groups = Object.fromEntries(Array.from(this.lab.nodes.keys(), (name) => [name, [`node:${name}`]]));
    await this.coordinator.ask('PUT', '/v1/acls', { groups: { ...groups, everyone: ['*'] }, grants });
  }

  /** Where a node is in the mesh. */
  async address(name: string): Promise<string> {
    const text = await this.coordinator.ask('GET', `/v1/nodes/${await this.node(name).id()}`);
    return (JSON.parse(text) as { readonly address: string }).address.replace('/32', '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab.down();
    await this.coordinator[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
