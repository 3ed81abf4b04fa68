/** A gateway of an agent on loopback, with one ingress that is inspected. Its policy changes when it is asked to. */
import { gatewayScene } from '@meshwork/agent/testing/gateway';
import { ingressOf, routeOf, targetOf } from '@meshwork/agent/testing/ingress';
import { policyOf, wafId } from '@meshwork/agent/testing/waf';

/** What is asked of it, as JSON. Null: nothing is inspected. */
export interface WafWanted {
  readonly mode: 'detect' | 'block';
  readonly paranoia: number;
  /** Another one has nginx read its configuration again. */
  readonly change: number;
  /** How many policies are loaded beside it, for other paths. */
  readonly others: number;
}

const [hostname = '', port = ''] = process.argv.slice(2);
const scene = await gatewayScene();
const { chain, cert_file, key_file } = await scene.certificate(hostname);
const targets = [targetOf(1, { address: '127.0.0.1', port: Number(port) })];

const serve = (wanted: WafWanted | null) => {
  const paths = ['/', ...Array.from({ length: wanted?.others ?? 0 }, (_, index) => `/other-${index}`)];
  const route = (path: string, index: number) =>
    routeOf({ path, targets, check: { kind: 'none' }, waf: wanted === null ? null : wafId(paths.length - index) });
  const rules =
    wanted === null
      ? {}
      : {
          mode: wanted.mode,
          paranoia: { block: wanted.paranoia, detect: wanted.paranoia },
          thresholds: { inbound: 1000 + wanted.change },
        };
  const policies = wanted === null ? [] : paths.map((_, index) => policyOf(index + 1, rules));
  const section = [ingressOf(1, { hostname, tls: { chain, redirect: true }, routes: paths.map(route) })];
  return scene.server.serve({ section, ca: undefined, policies });
};
await serve(null);

process.on('message', (text: string) => {
  const wanted = JSON.parse(text) as WafWanted | null;
  void serve(wanted).then(async () => process.send?.({ pid: await scene.nginx.pid() }));
});
process.send?.({ port: scene.https_port, cert_file, key_file });
process.once('SIGTERM', () => void scene[Symbol.asyncDispose]().then(() => process.disconnect?.()));
