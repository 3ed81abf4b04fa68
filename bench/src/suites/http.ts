import { againstBare, postOf, ratioRow } from '../against-bare.ts';
import { BenchCoordinator } from '../bench-coordinator.ts';
import type { Row } from '../measure.ts';

const SCOPE = { team: 'platform', surface: 'git', environment: 'production' };
const EXPIRES = new Date(Date.now() + 3_600_000).toISOString();

/** A read and a durable write over HTTP, against a bare `node:http` server that does the same JSON work on the same core. */
export async function httpSuite(): Promise<Row[]> {
  await using coordinator = await BenchCoordinator.start();
  const { token, process } = coordinator;
  const read = await againstBare(process, {
    request: () => `GET /v1/auth/whoami HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    status: 200,
    answer: await coordinator.ask('GET', '/v1/auth/whoami'),
  });
  const body = (count: number) => ({ name: `bench ${count}`, scope: SCOPE, expires: EXPIRES });
  const write = await againstBare(process, {
    request: (count) => postOf('/v1/auth/tokens', token, body(count)),
    status: 201,
    answer: await coordinator.ask('POST', '/v1/auth/tokens', body(0)),
  });
  return [
    ratioRow('GET /v1/auth/whoami', read, 'bare node:http', '≥ 0.75'),
    ratioRow('POST /v1/auth/tokens, durable and audited', write, 'bare node:http, not durable'),
  ];
}
