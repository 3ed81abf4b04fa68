import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';

interface UdpSocketOptions {
  readonly family: 4 | 6;
  readonly address: string;
  /** 0: one that is free. */
  readonly port: number;
  readonly received: (data: Buffer, from: RemoteInfo) => void;
}

/** Ours: as much as the host allows, up to this. A burst of WireGuard's comes faster than it is passed on. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** A bound socket of UDP. Rejects when it cannot be bound. Errors of single packets are like packets that are lost. */
export function openUdpSocket({ family, address, port, received }: UdpSocketOptions): Promise<Socket> {
  const socket = createSocket({
    ...(family === 6 ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' }),
    // All places are addresses. Node's own look-up would put off every packet to the next turn of the event loop.
    lookup: (host, _options, found) => found(null, host, family),
  });
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const failed = (error: Error) => {
    socket.close();
    reject(error);
  };
  socket.once('error', failed);
  socket.bind({ address, port, exclusive: true }, () => {
    socket.off('error', failed);
    socket.on('error', () => undefined); // a refusal that the network reported for a packet which was sent earlier
    socket.on('message', received);
    socket.setRecvBufferSize(BUFFER_BYTES);
    socket.setSendBufferSize(BUFFER_BYTES);
    resolve(socket);
  });
  return promise;
}
