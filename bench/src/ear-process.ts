/** Listens for UDP on a host of a lab, and reports when a packet arrives, such as the first of a handshake. */
import { createSocket } from 'node:dgram';

const socket = createSocket('udp4');
socket.on('message', () => process.send?.({ at: performance.timeOrigin + performance.now() }));
socket.bind(Number(process.argv[2]), () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
