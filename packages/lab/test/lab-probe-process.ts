/** The program of a prober: runs in a namespace, and does what it is asked until its channel closes. */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, createServer, isIPv6, type Server, type Socket } from 'node:net';
import { Beat } from './lab-beat.ts';
import type { Contact, ProbeAnswers, ProbeRequest, Protocol } from './lab-probes.ts';
import { answering } from './remote-program.ts';

const CHUNK = Buffer.alloc(1024, 'x');
const EVERY_MS = 20;
/** A datagram may be lost for good reasons, so it is sent again while there is time. */
const AGAIN_MS = 250;

const listeners = new Map<string, Server | DatagramSocket>();
const flows: Flow[] = [];
const beats: Beat[] = [];

answering(answer);

async function answer(request: ProbeRequest): Promise<ProbeAnswers[keyof ProbeAnswers]> {
  switch (request.do) {
    case 'listen':
      return await listen(request.protocol, request.port);
    case 'hush':
      return await hush(request.protocol, request.port);
    case 'connect':
      return await (request.protocol === 'tcp' ? contactTcp(request) : contactUdp(request));
    case 'flow':
      return await startFlow(request);
    case 'flow_state':
      return flowOf(request.flow).state();
    case 'end_flow':
      flowOf(request.flow).end();
      return null;
    case 'lookup':
      return await addressesOf(request.name);
    case 'beat':
      return beats.push(new Beat(request)) - 1;
    case 'end_beat':
      return beats[request.beat]?.end() ?? [];
  }
}

async function addressesOf(name: string): Promise<readonly string[]> {
  try {
    return (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);
  } catch (error) {
    if (['ENOTFOUND', 'EAI_AGAIN'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** On every address, and echoes what it receives. */
async function listen(protocol: Protocol, port: number): Promise<null> {
  if (protocol === 'tcp') {
    const server = createServer((socket) => {
      socket.on('error', () => socket.destroy()); // the other side is gone: nothing to say back any more
      socket.pipe(socket);
    });
    server.listen({ port, host: '::' });
    await once(server, 'listening');
    listeners.set(`${protocol}:${port}`, server);
  } else {
    const socket = createSocket('udp6');
    socket.on('message', (message, from) => socket.send(message, from.port, from.address));
    socket.bind(port, '::');
    await once(socket, 'listening');
    listeners.set(`${protocol}:${port}`, socket);
  }
  return null;
}

/** Connections that are open stay open. */
async function hush(protocol: Protocol, port: number): Promise<null> {
  const listener = listeners.get(`${protocol}:${port}`);
  if (listener === undefined) throw new Error(`no listener on ${protocol}:${port}`);
  listeners.delete(`${protocol}:${port}`);
  listener.close();
  return null;
}

interface Target {
  readonly host: string;
  readonly port: number;
  readonly timeout_ms: number;
}

async function contactTcp(target: Target): Promise<Contact> {
  const began = performance.now();
  const { outcome, socket } = await open(target);
  socket.destroy();
  return { outcome, ms: performance.now() - began };
}

async function open({ host, port, timeout_ms }: Target): Promise<{ outcome: Contact['outcome']; socket: Socket }> {
  const socket = connect({ host, port });
  const { promise, resolve } = Promise.withResolvers<Contact['outcome']>();
  socket.once('connect', () => resolve('connected'));
  socket.once('error', (error: NodeJS.ErrnoException) => resolve(outcomeOf(error)));
  const timer = setTimeout(resolve, timeout_ms, 'timed out');
  const outcome = await promise;
  clearTimeout(timer);
  return { outcome, socket };
}

async function contactUdp({ host, port, timeout_ms }: Target): Promise<Contact> {
  const began = performance.now();
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const { promise, resolve } = Promise.withResolvers<Contact['outcome']>();
  socket.on('message', () => resolve('connected'));
  socket.on('error', (error: NodeJS.ErrnoException) => resolve(outcomeOf(error)));
  const send = () => socket.send('?', (error) => error && resolve(outcomeOf(error)));
  let again: NodeJS.Timeout | undefined;
  socket.once('connect', () => {
    send();
    again = setInterval(send, AGAIN_MS);
  });
  socket.connect(port, host); // only a connected one gets the error of a refusal
  const timer = setTimeout(resolve, timeout_ms, 'timed out');
  const outcome = await promise;
  clearInterval(again);
  clearTimeout(timer);
  socket.close();
  return { outcome, ms: performance.now() - began };
}

/** The host has no way there, or does not let the packet out. A blackhole route gives EINVAL, a missing address EADDRNOTAVAIL. */
const NO_WAY: ReadonlySet<string> = new Set(
  'EHOSTUNREACH ENETUNREACH EACCES EPERM EINVAL ENETDOWN EADDRNOTAVAIL ENODEV ENETRESET'.split(' '),
);

function outcomeOf({ code, message }: NodeJS.ErrnoException): Contact['outcome'] {
  if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'refused';
  if (code === 'ETIMEDOUT') return 'timed out';
  if (code !== undefined && NO_WAY.has(code)) return 'unreachable';
  throw new Error(`unexpected outcome: ${message}`);
}

async function startFlow(target: Target): Promise<number> {
  const { outcome, socket } = await open(target);
  if (outcome !== 'connected') {
    socket.destroy();
    throw new Error(`no flow to ${target.host}:${target.port}: ${outcome}`);
  }
  return flows.push(new Flow(socket)) - 1;
}

function flowOf(number: number): Flow {
  const flow = flows[number];
  if (flow === undefined) throw new Error(`there is no flow ${number}`);
  return flow;
}

class Flow {
  readonly #socket: Socket;
  readonly #talk: NodeJS.Timeout;
  #returned = 0;
  #progress = performance.now();
  #ended: string | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#returned += chunk.length;
      this.#progress = performance.now();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#ended = error.code ?? error.message;
    });
    socket.on('close', () => {
      clearInterval(this.#talk);
      this.#ended ??= 'closed';
    });
    // What is not taken from us is not added to, so that a flow that is stuck goes on where it was.
    this.#talk = setInterval(() => socket.writableNeedDrain || socket.write(CHUNK), EVERY_MS);
  }

  state(): ProbeAnswers['flow_state'] {
    return {
      sent_bytes: this.#socket.bytesWritten,
      returned_bytes: this.#returned,
      quiet_ms: performance.now() - this.#progress,
      ended: this.#ended,
    };
  }

  end(): void {
    this.#socket.destroy();
  }
}
