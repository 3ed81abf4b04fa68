/** What `node:http` does with the same JSON and nothing else: no routing, no credentials, no validation, no store. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerMeter } from './meter.ts';

const answer = JSON.parse(process.argv[2] ?? '{}') as object;

const server = createServer((request, response) => {
  const send = (status: number) => {
    const text = JSON.stringify(answer);
    response
      .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  };
  if (request.method === 'GET') {
    send(200);
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    JSON.parse(body);
    send(Number(process.argv[3] ?? 201));
  });
});
server.listen(0, '127.0.0.1', () => {
  answerMeter();
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => process.exit(0));
