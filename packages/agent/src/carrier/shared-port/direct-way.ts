import type { Place } from '../../stun/xor-address.ts';
import { placeText, type Way } from '../links/link.ts';
import type { SharedPort } from './shared-port.ts';

/** Straight to the peer, as if WireGuard had sent it itself: while a path changes. */
export class DirectWay implements Way {
  readonly through = undefined;
  readonly to: Place;
  readonly place: string;
  readonly #port: SharedPort;

  constructor(port: SharedPort, to: Place) {
    this.#port = port;
    this.to = to;
    this.place = placeText(to);
  }

  send(data: Buffer): void {
    this.#port.send(this.to, data);
  }
}
