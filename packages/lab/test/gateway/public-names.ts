import { fileURLToPath } from 'node:url';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { RemoteProgram } from '../remote-program.ts';

const PROGRAM = fileURLToPath(new URL('./name-server-process.ts', import.meta.url));

export type NamesRequest =
  | { readonly do: 'serve'; readonly address: string }
  | { readonly do: 'say'; readonly hostname: string; readonly addresses: readonly string[] };

type Program = RemoteProgram<NamesRequest, { serve: undefined; say: undefined }>;

/** The DNS that hosts have beside the mesh: one server on a node of the lab, which other nodes ask. */
export class PublicNames implements AsyncDisposable {
  readonly #program: Program;

  private constructor(program: Program) {
    this.#program = program;
  }

  static async start(on: LabNode, askedBy: readonly LabNode[]): Promise<PublicNames> {
    const program: Program = new RemoteProgram(on, 'name server', PROGRAM);
    await program.ask({ do: 'serve', address: on.address });
    const line = `nameserver ${on.address}`;
    for (const node of askedBy)
      await node.exec('sh', ['-c', `grep -q '${line}' /etc/resolv.conf || echo '${line}' >> /etc/resolv.conf`]);
    return new PublicNames(program);
  }

  async say(hostname: string, addresses: readonly string[]): Promise<void> {
    await this.#program.ask({ do: 'say', hostname, addresses });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}
