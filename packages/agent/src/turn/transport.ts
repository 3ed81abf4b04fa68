/** A channel's number, and how much there is of data. */
export const CHANNEL_HEADER_BYTES = 4;

/** How a client of TURN speaks with a relay: datagrams, or a stream that is cut into messages. */
export interface TurnTransport {
  readonly kind: 'udp' | 'tcp' | 'tls';
  /** The address of this host that it sends from. Undefined: it has ended. */
  readonly local: string | undefined;
  /** Whether what is sent arrives, or the transport ends. */
  readonly reliable: boolean;
  send(message: Buffer): void;
  /** Lasting for as long as the transport may need it, which may be longer than this call: `data` is not used again. */
  sendChannelData(channel: number, data: Buffer): void;
  /** Called once, before anything is sent. `ended`: with the reason, when it ends without being closed. */
  listen(listener: TransportListener): void;
  close(): void;
}

export interface TransportListener {
  /** One message of STUN, or channel data. */
  readonly received: (message: Buffer) => void;
  readonly ended: (reason: Error) => void;
}
