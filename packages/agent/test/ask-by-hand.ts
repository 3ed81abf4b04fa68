/** A request by TLS that is written as it is said here, from and to any address of this host: what no client library would send. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly from?: string;
  readonly to?: string;
  readonly host?: string;
}

export async function askByHand(port: number, asked: Asked & { readonly host: string }) {
  const { path = '/', method = 'GET', headers = {}, body, from = '127.0.0.1', to = '127.0.0.1', host } = asked;
  const socket = connect({ host: to, port, localAddress: from });
  const secure = connectTls({ socket, servername: host, rejectUnauthorized: false });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  secure.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${length}${lines.join('')}\r\n${body ?? ''}`,
  );
  let answer = '';
  secure.setEncoding('utf8').on('data', (piece: string) => {
    answer += piece;
  });
  await once(secure, 'close');
  socket.destroy();
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const header = (name: string) =>
    head
      .split('\r\n')
      .filter((line) => line.toLowerCase().startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2));
  return { status: Number(head.split(' ')[1]), header, cookies: header('set-cookie'), body: rest.join('\r\n\r\n') };
}

export function location({ header }: { readonly header: (name: string) => readonly string[] }): string {
  return header('location')[0] ?? '';
}

/** The value of a cookie that was set. Empty: it was not. */
export function given(cookies: readonly string[], name: string): string {
  const found = cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
  return found.slice(name.length + 1).split(';')[0] ?? '';
}
