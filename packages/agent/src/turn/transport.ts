/** How a client of TURN speaks with a relay: datagrams, or a stream that is cut into messages. */
export interface TurnTransport {
  readonly kind: 'udp' | 'tcp' | 'tls';
  /** Whether what is sent arrives, or the transport ends. */
  readonly reliable: boolean;
  send(message: Buffer): void;
  /** Called once, before anything is sent. `ended`: with the reason, when it ends without being closed. */
  listen(listener: TransportListener): void;
  close(): void;
}

export interface TransportListener {
  /** One message of STUN, or channel data. */
  readonly received: (message: Buffer) => void;
  readonly ended: (reason: Error) => void;
}
