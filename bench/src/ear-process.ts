/** Listens for UDP in a place of a lab, and says when something came: what a peer would hear of a handshake. */
import { createSocket } from 'node:dgram';

const socket = createSocket('udp4');
socket.on('message', () => process.send?.({ at: performance.timeOrigin + performance.now() }));
socket.bind(Number(process.argv[2]), () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
