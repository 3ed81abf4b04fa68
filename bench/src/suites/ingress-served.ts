import type { LabNode } from '@meshwork/lab';
import { mayBeGateway } from '@meshwork/lab/testing/gateway';
import { onAllCores } from '../all-cores.ts';
import { BenchLab } from '../bench-lab.ts';
import { median, type Row } from '../measure.ts';
import { pause, until } from '../until.ts';

const HOST = 'www.example.net';
const CHANGES = 30;
/** Changes do not come at the pace of reloads. */
const BETWEEN_CHANGES_MS = [1300, 200, 700, 50, 1900];
const MOVED = '302';

/** How long an operator waits who changes an ingress: by the API of a real coordinator, a real agent and its nginx. */
export function ingressServedSuite(): Promise<Row[]> {
  return onAllCores(async () => {
    await using mesh = await BenchLab.start(['gw', 'other']);
    await mesh.join('gw');
    await using gateway = await mayBeGateway(mesh.node('gw'));
    const ingress = { name: 'www', hostname: HOST, service: 'web', gateways: ['node:gw'], tls: { redirect: false } };
    await mesh.coordinator.ask('POST', '/v1/ingress', { ...ingress, redirects: redirectsFor('/first') });
    await served(gateway.node, '/first');
    const [asked_s, took_s]: [number[], number[]] = [[], []];
    for (let count = 0; count < CHANGES; count++) {
      await pause(BETWEEN_CHANGES_MS[count % BETWEEN_CHANGES_MS.length] ?? 0);
      const path = `/change-${count}`;
      const begun = performance.now();
      await mesh.coordinator.ask('PATCH', '/v1/ingress/www', { redirects: redirectsFor(path) });
      const answered = performance.now();
      await served(gateway.node, path);
      asked_s.push((answered - begun) / 1000);
      took_s.push((performance.now() - answered) / 1000);
    }
    const sorted = took_s.toSorted((a, b) => a - b);
    return [
      { what: 'a change of an ingress, until the API answers', value: median(asked_s), unit: 's' },
      { what: 'from its answer until a visitor is served by it', value: median(took_s), unit: 's' },
      { what: '  95 of 100', value: sorted[Math.ceil(CHANGES * 0.95) - 1] ?? Number.NaN, unit: 's', aim: '≤ 2' },
    ];
  });
}

function redirectsFor(path: string) {
  return [{ path, to: 'https://www.example.org/', status: Number(MOVED), keep: false }];
}

/** As a visitor sees it, on the gateway itself. */
async function served(node: LabNode, path: string): Promise<void> {
  const args = ['--silent', '--output', '/dev/null', '--write-out', '%{http_code}', '--header', `Host: ${HOST}`];
  await until(async () => {
    const status = await node.exec('curl', [...args, `http://127.0.0.1${path}`]).catch(() => 'no answer'); // not yet
    return status === MOVED;
  }, `${path} is served`);
}
