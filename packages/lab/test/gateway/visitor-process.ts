/** The program of visitors: runs in a namespace outside of the mesh, or on a node, and asks what a test has it ask. */
import { once } from 'node:events';
import { connect as connect2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { answering } from '../remote-program.ts';
import type { Entrance, Page, VisitorRequest } from './visitor-calls.ts';
import { agentFor, ask, Load } from './visitor-load.ts';
import { VisitorSocket } from './visitor-socket.ts';
import { callGrpc, passThrough, sendDatagram } from './visitor-streams.ts';

const loads: Load[] = [];
const sockets: VisitorSocket[] = [];

answering(async (request: VisitorRequest) => {
  switch (request.do) {
    case 'get':
      return await get(request);
    case 'get2':
      return await get2(request.entrance, request.path);
    case 'load':
      return loads.push(new Load(request.entrance, request.path, request.visitors)) - 1;
    case 'lead':
      return loadOf(request.load).lead(request.addresses);
    case 'load_state':
      return loadOf(request.load).state;
    case 'end_load':
      return await loadOf(request.load).end();
    case 'socket':
      return sockets.push(await VisitorSocket.open(request.entrance, request.path)) - 1;
    case 'connection':
      return sockets.push(await VisitorSocket.connect(request.address, request.port)) - 1;
    case 'datagram':
      return await sendDatagram(request.address, request.port, request.text);
    case 'grpc':
      return await callGrpc(request.entrance, request.messages);
    case 'pass_through':
      return await passThrough(request.entrance);
    case 'socket_state':
      return socketOf(request.socket).state;
    case 'end_socket':
      return socketOf(request.socket).end();
  }
});

async function get(request: Extract<VisitorRequest, { do: 'get' }>): Promise<Page> {
  const { entrance } = request;
  const agent = agentFor(entrance);
  try {
    return await ask({ ...request, address: entrance.addresses[0] ?? '', agent });
  } finally {
    agent.destroy();
  }
}

/** By HTTP/2. */
async function get2({ addresses: [address = ''], host, port, ca }: Entrance, path: string): Promise<Page> {
  const session = connect2(`https://${host}:${port}`, {
    createConnection: () => connectTls({ host: address, port, servername: host, ca, ALPNProtocols: ['h2'] }),
  });
  try {
    await once(session, 'connect');
    const stream = session.request({ ':path': path });
    const [headers] = (await once(stream, 'response')) as [Record<string, string> & { ':status': number }];
    let body = '';
    for await (const chunk of stream.setEncoding('utf8')) body += chunk as string;
    return { status: headers[':status'], headers: { ...headers }, body };
  } finally {
    session.destroy();
  }
}

function loadOf(index: number): Load {
  const load = loads[index];
  if (load === undefined) throw new Error(`there is no load ${index}`);
  return load;
}

function socketOf(index: number): VisitorSocket {
  const socket = sockets[index];
  if (socket === undefined) throw new Error(`there is no websocket ${index}`);
  return socket;
}
