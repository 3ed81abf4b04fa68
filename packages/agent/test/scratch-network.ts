/** A host with the ends of some wires, and the agent’s network on it. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { MeshNetwork, NetworkPlan } from '../src/engines/network/mesh-network.ts';
import type { Namespace } from './namespaces.ts';
import type { NetworkAnswer, NetworkCall } from './scratch-network-child.ts';

/** In a process inside the namespace. A second one on the same folder is an agent that was started anew. */
export class ScratchNetwork implements MeshNetwork {
  readonly #child: ChildProcess;
  readonly #lines: Interface;

  constructor(space: Namespace, folder: string) {
    this.#child = space.spawn(process.execPath, [join(import.meta.dirname, 'scratch-network-child.ts'), folder]);
    this.#lines = createInterface({ input: this.#child.stdout ?? assert.fail() });
  }

  async apply(plan: NetworkPlan): Promise<void> {
    await this.#ask({ call: 'apply', plan });
  }

  async narrow(mtus: ReadonlyMap<string, number>): Promise<void> {
    await this.#ask({ call: 'narrow', mtus: Object.fromEntries(mtus) });
  }

  async narrowed(): Promise<ReadonlyMap<string, number>> {
    return new Map(JSON.parse((await this.#ask({ call: 'narrowed' })) ?? '[]') as [string, number][]);
  }

  drift(): Promise<string | null> {
    return this.#ask({ call: 'drift' });
  }

  async remove(): Promise<void> {
    await this.#ask({ call: 'remove' });
  }

  async #ask(call: NetworkCall): Promise<string | null> {
    this.#child.stdin?.write(`${JSON.stringify(call)}\n`);
    const [line] = await Promise.race([once(this.#lines, 'line'), once(this.#child, 'exit')]);
    assert.equal(typeof line, 'string', 'the process ended');
    const { result, error } = JSON.parse(String(line)) as NetworkAnswer;
    if (error !== undefined) throw new Error(error);
    return result ?? null;
  }
}
