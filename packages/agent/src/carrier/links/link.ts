import type { Place } from '../../stun/xor-address.ts';
import type { WantedWay } from '../control/messages.ts';

/** By which a link's packets leave. */
export interface Way {
  send(data: Buffer, now_ms: number): void;
  readonly wanted: WantedWay;
}

/** What a link has that only a guest has not: its peer is known. */
interface LinkIdentity {
  /** Absent: a guest, of whom only the place is known. */
  readonly peer?: string | undefined;
  readonly address: string;
}

interface Waiting {
  readonly data: Buffer;
  readonly at_ms: number;
}

/** What WireGuard sees as one address on loopback. Nothing runs for it: it is looked at when a packet comes. */
export class Link {
  readonly peer: string | undefined;
  readonly address: string;
  ways: readonly Way[] = [];
  /** Where its packets come from. */
  places: readonly Place[] = [];
  /** Of these, what the agent knows beside where packets are sent to. */
  known: readonly Place[] = [];
  key: Buffer | undefined;
  /** Packets that came while there was no way. Undefined: none. */
  waiting: Waiting[] | undefined;
  /** When its agent was last notified that it needs a way. */
  woken_ms = Number.NEGATIVE_INFINITY;
  used_ms = Number.NEGATIVE_INFINITY;
  sent_packets = 0;
  sent_bytes = 0;
  received_packets = 0;
  received_bytes = 0;

  constructor({ peer, address }: LinkIdentity) {
    this.peer = peer;
    this.address = address;
  }

  counted(now_ms: number) {
    const { sent_packets, sent_bytes, received_packets, received_bytes, used_ms } = this;
    const idle = used_ms === Number.NEGATIVE_INFINITY ? {} : { idle_ms: Math.max(0, now_ms - used_ms) };
    return { sent_packets, sent_bytes, received_packets, received_bytes, ...idle };
  }
}

export function placeText({ address, port }: Place): string {
  return `${address} ${port}`;
}
