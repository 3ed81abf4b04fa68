/** The program of a name server outside of the mesh: it has the addresses that it was given for one host name, and knows no other. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { answering } from '../remote-program.ts';
import type { NamesRequest } from './public-names.ts';

const HEADER_BYTES = 12;
/** An answer, with recursion; the rest says what became of it. */
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;
const A = 1;
const NAME_OF_QUESTION = 0xc00c;

let known: { readonly hostname: string; readonly addresses: readonly string[] } = { hostname: '', addresses: [] };

answering(async (request: NamesRequest) => {
  if (request.do === 'say') {
    known = request;
    return;
  }
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => socket.send(answerTo(message), port, address));
  socket.bind(53, request.address);
  await once(socket, 'listening');
});

function answerTo(message: Buffer): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = message.subarray(HEADER_BYTES, at + 5);
  const isKnown = labels.join('.').toLowerCase() === known.hostname;
  const addresses = isKnown && question.readUInt16BE(question.length - 4) === A ? known.addresses : [];
  const header = Buffer.alloc(HEADER_BYTES);
  message.copy(header, 0, 0, 2);
  header.writeUInt16BE(isKnown ? ANSWERED : NO_SUCH_NAME, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([header, question, ...addresses.map(record)]);
}

function record(address: string): Buffer {
  const fixed = Buffer.alloc(12);
  fixed.writeUInt16BE(NAME_OF_QUESTION, 0);
  fixed.writeUInt16BE(A, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt32BE(1, 6);
  fixed.writeUInt16BE(4, 10);
  return Buffer.concat([fixed, Buffer.from(address.split('.').map(Number))]);
}
