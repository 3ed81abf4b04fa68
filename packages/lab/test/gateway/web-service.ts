import { fileURLToPath } from 'node:url';
import type { LabNode } from '../../src/namespaces/node/lab-node.ts';
import { RemoteProgram } from '../remote-program.ts';
import type { ServiceCounts, ServiceReplies, ServiceRequest } from './web-service-calls.ts';

const PROGRAM = fileURLToPath(new URL('./web-service-process.ts', import.meta.url));

/** A web service on a node of a lab. */
export class WebService implements AsyncDisposable {
  readonly #program: RemoteProgram<ServiceRequest, ServiceReplies>;

  private constructor(program: RemoteProgram<ServiceRequest, ServiceReplies>) {
    this.#program = program;
  }

  /** `tls`: a folder with `cert.pem` and `key.pem`. Absent: plain HTTP. */
  static async start(node: LabNode, port: number, tls?: { readonly folder: string }): Promise<WebService> {
    const program = new RemoteProgram<ServiceRequest, ServiceReplies>(node, 'web service', PROGRAM);
    await program.ask({ do: 'serve', name: node.name, port, ...(tls === undefined ? {} : { tls }) });
    return new WebService(program);
  }

  /** What health checks are answered with from now on. */
  async answerChecks(status: number): Promise<void> {
    await this.#program.ask({ do: 'health', status });
  }

  counts(): Promise<ServiceCounts> {
    return this.#program.ask({ do: 'counts' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program[Symbol.asyncDispose]();
  }
}
