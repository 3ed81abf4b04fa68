import type { Place } from '../../stun/xor-address.ts';
import type { WantedWay } from '../control/messages.ts';
import type { Way } from '../links/link.ts';
import type { SharedPort } from './shared-port.ts';

/** Straight to the peer, as if WireGuard had sent it itself: while a path changes. */
export class DirectWay implements Way {
  readonly #port: SharedPort;
  readonly #to: Place;

  constructor(port: SharedPort, to: Place) {
    this.#port = port;
    this.#to = to;
  }

  get wanted(): WantedWay {
    return { direct: this.#to };
  }

  send(data: Buffer): void {
    this.#port.send(this.#to, data);
  }
}
