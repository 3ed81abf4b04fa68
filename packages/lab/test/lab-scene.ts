import { fileURLToPath } from 'node:url';
import type { Client } from '@meshwork/client';
import type { Node, SettingsPatch } from '@meshwork/contract';
import { Lab } from '../src/namespaces/lab.ts';
import type { NodeSpec, SiteSpec, SubnetSpec } from '../src/namespaces/plan/lab-spec.ts';
import { approveSubnets, labNodes, untilHeard } from '../src/namespaces/settle-in.ts';
import { KillableMesh } from './killable-mesh.ts';
import { newLabName } from './lab-names.ts';
import { Prober } from './lab-prober.ts';
import { bundledProgram } from './unit-program.ts';

/** `mesh` as it is run on a node: the installed one, which npm has put beside the other programs. */
export const MESH_PROGRAM = [
  process.execPath,
  fileURLToPath(new URL('../../../node_modules/.bin/mesh', import.meta.url)),
];

interface SceneOptions {
  readonly nodes: readonly NodeSpec[];
  readonly subnets?: readonly SubnetSpec[];
  readonly sites?: readonly SiteSpec[];
  readonly settings?: SettingsPatch;
  /** What the coordinator is configured with besides, for a lab of this name. */
  readonly env?: (lab: string) => Readonly<Record<string, string>>;
  /** How nodes run `mesh`, unless as `bundledProgram` has it. */
  readonly program?: readonly string[];
}

/** A coordinator to kill, a lab whose nodes are enrolled there with their agents running, and probers in it. */
export class Scene implements AsyncDisposable {
  readonly mesh: KillableMesh;
  readonly lab: Lab;
  readonly #probers = new Map<string, Prober>();

  private constructor(mesh: KillableMesh, lab: Lab) {
    this.mesh = mesh;
    this.lab = lab;
  }

  /** Resolves when every node has sent a heartbeat. Networks behind nodes are approved. */
  static async start(options: SceneOptions): Promise<Scene> {
    const { nodes, subnets, sites, settings = {}, env = () => ({}) } = options;
    const program = options.program ?? (await bundledProgram());
    await using started = new AsyncDisposableStack();
    const name = newLabName();
    const mesh = started.use(await KillableMesh.start(settings, env(name)));
    const spec = { name, nodes, subnets, sites, program };
    const lab = started.use(await Lab.up({ ...spec, coordinator: mesh.url, token: mesh.token }));
    await approveSubnets(lab, mesh.client);
    await untilHeard(lab, { client: mesh.client });
    started.move();
    return new Scene(mesh, lab);
  }

  get client(): Client {
    return this.mesh.client;
  }

  /** What the coordinator says of a node now. */
  async node(name: string): Promise<Node> {
    const node = (await labNodes(this.lab, this.client)).find((each) => each.name === name);
    if (node === undefined) throw new Error(`the coordinator knows no node "${name}" of this lab`);
    return node;
  }

  /** Where a node is in the mesh, without prefix. */
  async addressOf(name: string): Promise<string> {
    return (await this.node(name)).address.replace('/32', '');
  }

  /** The one prober of a place. */
  prober(place: string): Prober {
    const prober = this.#probers.get(place) ?? new Prober(this.lab.place(place));
    this.#probers.set(place, prober);
    return prober;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const prober of this.#probers.values()) await prober[Symbol.asyncDispose]();
    await this.lab.down();
    await this.mesh[Symbol.asyncDispose]();
  }
}
