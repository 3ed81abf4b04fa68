import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from '@meshwork/lab';

const EAR = fileURLToPath(new URL('./ear-process.ts', import.meta.url));

/** Receives what WireGuard sends to a port of a host: a peer is in effect when its handshake arrives. */
export class Ear implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #heard_ms: number[] = [];

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on('message', ({ at }: { readonly at: number }) => void this.#heard_ms.push(at));
  }

  static async open(place: Place, port: number): Promise<Ear> {
    const child = place.spawn(process.execPath, [EAR, `${port}`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    return new Ear(child);
  }

  heardSince(ms: number): number | undefined {
    return this.#heard_ms.find((at) => at > ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
