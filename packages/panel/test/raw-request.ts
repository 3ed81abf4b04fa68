/** A request written by hand, for what no client would send. */
import { once } from 'node:events';
import { connect } from 'node:net';

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** `lines`: the request line and headers; the connection is closed after the answer. */
export async function rawRequest(url: string, lines: readonly string[], body = ''): Promise<RawAnswer> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]), text };
}
