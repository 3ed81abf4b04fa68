/** A place on a relay at which it receives for this node, and from which it sends (RFC 8656). */
import { ATTRIBUTES, type Attribute, readMessage, type StunMessage, valueIn } from '../stun/message.ts';
import { type Place, readXorAddress, writeXorAddress } from '../stun/xor-address.ts';
import { type TurnCredentials, TurnRequests } from './requests.ts';
import { CHANNEL_HEADER_BYTES, type TurnTransport } from './transport.ts';

const [ALLOCATE, REFRESH, SEND, CREATE_PERMISSION, DATA] = [0x0003, 0x0004, 0x0016, 0x0008, 0x0017];
const CHANNEL_BIND = 0x0009;
/** In the first of four bytes. */
const UDP = 17;
/**
 * What is given when nothing is asked for, and a second: coturn gives less than ten minutes only to those who ask for more, and
 * relays of nodes are set to give far less (`engines/relay/turn-config.ts`).
 */
const ASKED_S = 601;

interface AllocationListener {
  /** Something came in at our place. */
  readonly received: (from: Place, data: Buffer) => void;
  /** The same, of the place that this channel is bound to. Absent: no channel is ever bound. */
  readonly receivedOn?: ((channel: number, data: Buffer) => void) | undefined;
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
  #lifetime_s: number;

  private constructor(made: Made) {
    this.relayed = made.relayed;
    this.mapped = made.mapped;
    this.#lifetime_s = made.lifetime_s;
    this.#transport = made.transport;
    this.#requests = made.requests;
  }

  /** Takes the transport over: it is closed with the allocation, and when there is none. */
  static async make(
    transport: TurnTransport,
    credentials: TurnCredentials,
    { received, receivedOn, lost }: AllocationListener,
  ): Promise<Allocation> {
    const requests = new TurnRequests(transport, credentials);
    let isMade = false;
    transport.listen({
      received: (bytes) => {
        if (isChannelData(bytes)) readChannelData(bytes, receivedOn);
        else if (!requests.receive(bytes)) readData(bytes, received);
      },
      ended: (reason) => {
        requests.fail(reason);
        if (isMade) lost(reason);
      },
    });
    try {
      const requested = Buffer.from([UDP, 0, 0, 0]);
      const answer = await requests.ask(ALLOCATE, () => [
        { type: ATTRIBUTES.REQUESTED_TRANSPORT, value: requested },
        lifetime(ASKED_S),
      ]);
      const relayed = placeIn(answer, ATTRIBUTES.XOR_RELAYED_ADDRESS);
      const mapped = placeIn(answer, ATTRIBUTES.XOR_MAPPED_ADDRESS);
      isMade = true;
      return new Allocation({ relayed, mapped, lifetime_s: lifetimeIn(answer), transport, requests });
    } catch (error) {
      transport.close();
      throw error;
    }
  }

  get transport(): TurnTransport['kind'] {
    return this.#transport.kind;
  }

  /** The address of this host that it was made from. Undefined: it is gone. */
  get local(): string | undefined {
    return this.#transport.local;
  }

  /** It is gone so many seconds after it was last refreshed. */
  get lifetime_s(): number {
    return this.#lifetime_s;
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

  /**
   * Lets what is sent there and comes from there go with four bytes on top in place of some forty, for ten minutes. To be
   * repeated before they are over; the number is that place's own until five minutes after them.
   */
  async bind(channel: number, to: Place): Promise<void> {
    const number = Buffer.alloc(4);
    number.writeUInt16BE(channel, 0);
    await this.#requests.ask(CHANNEL_BIND, (header) => [
      { type: ATTRIBUTES.CHANNEL_NUMBER, value: number },
      { type: ATTRIBUTES.XOR_PEER_ADDRESS, value: writeXorAddress(to, header) },
    ]);
  }

  /** To the place that the channel is bound to. */
  sendOn(channel: number, data: Buffer): void {
    this.#transport.sendChannelData(channel, data);
  }

  /**
   * Keeps it for another lifetime, with the credentials that it was made with: the relay refuses all others. Rejects when it
   * is no more, and when the relay does not answer within that time.
   */
  async refresh(give_up_ms?: number): Promise<void> {
    this.#lifetime_s = lifetimeIn(await this.#requests.ask(REFRESH, () => [lifetime(ASKED_S)], give_up_ms));
  }

  /** Gives it back. The relay forgets it by itself when it does not hear of it. */
  async release(): Promise<void> {
    try {
      await this.#requests.ask(REFRESH, () => [lifetime(0)]);
    } finally {
      this.#transport.close();
    }
  }

  /** Says nothing to the relay. */
  abandon(reason: Error): void {
    this.#requests.fail(reason);
    this.#transport.close();
  }
}

interface Made extends Pick<Allocation, 'relayed' | 'mapped' | 'lifetime_s'> {
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

/** Their first two bits tell them from messages of STUN (RFC 8656, 12). */
function isChannelData(bytes: Buffer): boolean {
  return bytes.length >= CHANNEL_HEADER_BYTES && ((bytes[0] as number) & 0xc0) === 0x40;
}

/** What is behind its end is padding. */
function readChannelData(bytes: Buffer, receivedOn: AllocationListener['receivedOn']): void {
  const end = CHANNEL_HEADER_BYTES + bytes.readUInt16BE(2);
  if (end <= bytes.length) receivedOn?.(bytes.readUInt16BE(0), bytes.subarray(CHANNEL_HEADER_BYTES, end));
}

function placeIn(answer: StunMessage, attribute: number): Place {
  const place = readXorAddress(valueIn(answer, attribute), answer.bytes);
  if (place === null) throw new Error('the relay made an allocation, and did not say where');
  return place;
}

function lifetime(seconds: number): Attribute {
  const value = Buffer.alloc(4);
  value.writeUInt32BE(seconds, 0);
  return { type: ATTRIBUTES.LIFETIME, value };
}

function lifetimeIn(answer: StunMessage): number {
  const value = valueIn(answer, ATTRIBUTES.LIFETIME);
  return value?.length === 4 ? value.readUInt32BE(0) : 0;
}
