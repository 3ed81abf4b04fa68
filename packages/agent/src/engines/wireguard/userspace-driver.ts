import { constants } from 'node:os';
import { type Change, type Driver, PortTakenError, type Reading } from './driver.ts';
import { NoDaemonError, UapiError } from './uapi.ts';
import { GET, ReplyReader, writeChange, writeNudge, writePort } from './uapi-text.ts';
import { checkChange } from './values.ts';
import { WireguardGo, type WireguardGoOptions } from './wireguard-go.ts';

/** WireGuard by `wireguard-go`, for a kernel that has none. */
export class UserspaceDriver implements Driver {
  readonly #daemon: WireguardGo;
  readonly #reader = new ReplyReader();

  constructor(options: WireguardGoOptions) {
    this.#daemon = new WireguardGo(options);
  }

  async ensure(): Promise<void> {
    await this.#daemon.ensure();
  }

  /** The daemon has no way to say less than everything: what is not asked for is not taken apart. */
  async read(only?: ReadonlySet<string>): Promise<Reading | null> {
    try {
      return this.#reader.read(await this.#daemon.ask(GET), only);
    } catch (error) {
      if (error instanceof NoDaemonError) return null;
      throw error;
    }
  }

  async apply(change: Change): Promise<void> {
    checkChange(change);
    const request = writeChange(change);
    if (request !== undefined) await this.#daemon.ask(request);
    if (change.port !== undefined) await this.#listen(change.port);
  }

  async nudge(keys: readonly string[], keepalive_s: number, rests = (_: string) => false): Promise<void> {
    if (keys.length > 0) await this.#daemon.ask(writeNudge(keys, keepalive_s, rests));
  }

  async remove(): Promise<void> {
    await this.#daemon.remove();
  }

  /**
   * The daemon has its socket from its start on, also before the interface is up: so this is where a taken port shows. After
   * a refusal it listens nowhere, and reads as port 0.
   */
  async #listen(port: number): Promise<void> {
    try {
      await this.#daemon.ask(writePort(port));
    } catch (error) {
      const taken = error instanceof UapiError && error.errno === constants.errno.EADDRINUSE;
      throw taken ? new PortTakenError(port) : error;
    }
  }
}
