import { ownAddresses } from '../../host/own-addresses.ts';
import { wayOutEvents } from '../../host/way-out-events.ts';

/** Ours: addresses and routes change several at a time, and on some hosts all the time. */
const SETTLE_MS = 100;
const REST_MS = 5000;

interface NetworkChangesOptions {
  /** `isLost`: what was sent before may not get out any more, since an address is gone or the default route is another one. */
  readonly changed: (isLost: boolean) => void;
  readonly addresses?: () => readonly string[];
}

/** Changes of the addresses and default routes of this host, once they have settled. */
export class NetworkChanges {
  readonly #changed: (isLost: boolean) => void;
  readonly #addresses: () => readonly string[];
  #known: readonly string[];
  #isRerouted = false;
  #timer: NodeJS.Timeout | undefined;
  #last_ms = Number.NEGATIVE_INFINITY;

  constructor({ changed, addresses = ownAddresses }: NetworkChangesOptions) {
    this.#changed = changed;
    this.#addresses = addresses;
    this.#known = addresses();
  }

  /** What the kernel announced. Null: something was missed, and may have been anything. */
  heard(datagram: Buffer | null): void {
    const kinds = datagram === null ? ['default-route'] : Array.from(wayOutEvents(datagram), ({ kind }) => kind);
    if (kinds.length === 0) return;
    this.#isRerouted ||= kinds.includes('default-route');
    const rests_ms = this.#last_ms + REST_MS - performance.now();
    this.#timer ??= setTimeout(() => this.#settled(), Math.max(SETTLE_MS, rests_ms)).unref();
  }

  #settled(): void {
    this.#timer = undefined;
    this.#last_ms = performance.now();
    const [before, now] = [this.#known, this.#addresses()];
    const isLost = this.#isRerouted || before.some((address) => !now.includes(address));
    const isSame = !isLost && before.length === now.length;
    this.#known = now;
    this.#isRerouted = false;
    if (!isSame) this.#changed(isLost);
  }
}
