import type { Place } from '../../stun/xor-address.ts';
import { placeText, type Through, type Way } from '../links/link.ts';
import type { Channel, Channels } from './channels.ts';

/** What a way goes through. */
interface Sender extends Through {
  readonly channels: Channels;
  send(to: Place, data: Buffer, now_ms: number): void;
  sendOn(channel: number, data: Buffer, now_ms: number): void;
}

/** Through an allocation of ours to a place that a relay has for the peer. */
export class RelayedWay implements Way {
  readonly through: Sender;
  readonly to: Place;
  readonly place: string;
  #channel: Channel | undefined;

  constructor(through: Sender, to: Place) {
    this.through = through;
    this.to = to;
    this.place = placeText(to);
  }

  send(data: Buffer, now_ms: number): void {
    const channel = this.#channel;
    if (channel?.isOpen === true) {
      channel.used_ms = now_ms;
      this.through.sendOn(channel.number, data, now_ms);
      return;
    }
    // Asked for first: it also permits the place, so that this very packet passes where that was not asked for before.
    this.#channel = this.through.channels.use(this.to, this.place, now_ms);
    this.through.send(this.to, data, now_ms);
  }
}
