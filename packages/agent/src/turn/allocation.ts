/** A place on a relay at which it receives for this node, and from which it sends (RFC 8656). */
import { ATTRIBUTES, readMessage, type StunMessage, valueIn } from '../stun/message.ts';
import { type Place, readXorAddress, writeXorAddress } from '../stun/xor-address.ts';
import { type TurnCredentials, TurnRequests } from './requests.ts';
import type { TurnTransport } from './transport.ts';

const [ALLOCATE, REFRESH, SEND, CREATE_PERMISSION, DATA] = [0x0003, 0x0004, 0x0016, 0x0008, 0x0017];
/** In the first of four bytes. */
const UDP = 17;

interface AllocationListener {
  /** Something came in at our place. */
  readonly received: (from: Place, data: Buffer) => void;
  /** It is gone: the relay cannot be reached any more. */
  readonly lost: (reason: Error) => void;
}

export class Allocation {
  /** Where the relay receives for us. */
  readonly relayed: Place;
  /** How the relay sees us. */
  readonly mapped: Place;
  readonly #transport: TurnTransport;
  readonly #requests: TurnRequests;

  private constructor(made: Made) {
    this.relayed = made.relayed;
    this.mapped = made.mapped;
    this.#transport = made.transport;
    this.#requests = made.requests;
  }

  /** Takes the transport over: it is closed with the allocation, and when there is none. */
  static async make(
    transport: TurnTransport,
    credentials: TurnCredentials,
    { received, lost }: AllocationListener,
  ): Promise<Allocation> {
    const requests = new TurnRequests(transport, credentials);
    let isMade = false;
    transport.listen({
      received: (bytes) => {
        if (!requests.receive(bytes)) readData(bytes, received);
      },
      ended: (reason) => {
        requests.fail(reason);
        if (isMade) lost(reason);
      },
    });
    try {
      const requested = Buffer.from([UDP, 0, 0, 0]);
      const answer = await requests.ask(ALLOCATE, () => [{ type: ATTRIBUTES.REQUESTED_TRANSPORT, value: requested }]);
      const relayed = placeIn(answer, ATTRIBUTES.XOR_RELAYED_ADDRESS);
      const mapped = placeIn(answer, ATTRIBUTES.XOR_MAPPED_ADDRESS);
      isMade = true;
      return new Allocation({ relayed, mapped, transport, requests });
    } catch (error) {
      transport.close();
      throw error;
    }
  }

  /** Lets in what comes from these addresses, whatever the port, for five minutes. Rejects when the relay does not send there. */
  async permit(addresses: readonly string[]): Promise<void> {
    await this.#requests.ask(CREATE_PERMISSION, (header) =>
      addresses.map((address) => ({
        type: ATTRIBUTES.XOR_PEER_ADDRESS,
        value: writeXorAddress({ address, port: 0 }, header),
      })),
    );
  }

  /** Only to addresses that are permitted. */
  send(to: Place, data: Buffer): void {
    this.#requests.indicate(SEND, (header) => [
      { type: ATTRIBUTES.XOR_PEER_ADDRESS, value: writeXorAddress(to, header) },
      { type: ATTRIBUTES.DATA, value: data },
    ]);
  }

  /** Gives it back. The relay forgets it by itself when it does not hear of it. */
  async release(): Promise<void> {
    try {
      await this.#requests.ask(REFRESH, () => [{ type: ATTRIBUTES.LIFETIME, value: Buffer.alloc(4) }]);
    } finally {
      this.#transport.close();
    }
  }
}

interface Made extends Pick<Allocation, 'relayed' | 'mapped'> {
  readonly transport: TurnTransport;
  readonly requests: TurnRequests;
}

function readData(bytes: Buffer, received: AllocationListener['received']): void {
  const message = readMessage(bytes);
  if (message?.type !== DATA) return;
  const from = readXorAddress(valueIn(message, ATTRIBUTES.XOR_PEER_ADDRESS), bytes);
  const data = valueIn(message, ATTRIBUTES.DATA);
  if (from !== null && data !== undefined) received(from, data);
}

function placeIn(answer: StunMessage, attribute: number): Place {
  const place = readXorAddress(valueIn(answer, attribute), answer.bytes);
  if (place === null) throw new Error('the relay made an allocation, and did not say where');
  return place;
}
