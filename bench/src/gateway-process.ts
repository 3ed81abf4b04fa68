/** A gateway of an agent on loopback, with one ingress. Changes it when it is asked to. */
import { gatewayScene } from '@meshwork/agent/testing/gateway';
import { ingressOf, routeOf, targetOf } from '@meshwork/agent/testing/ingress';

const [hostname = '', ...ports] = process.argv.slice(2);
const scene = await gatewayScene();
const { chain, cert_file, key_file } = await scene.certificate(hostname);
const targets = ports.map((port, index) => targetOf(index + 1, { address: '127.0.0.1', port: Number(port) }));
const serve = (...paths: readonly string[]) => {
  const routes = ['/', ...paths].map((path) => routeOf({ path, targets, check: { kind: 'none' } }));
  return scene.server.serve({
    section: [ingressOf(1, { hostname, tls: { chain, redirect: true }, routes })],
    ca: undefined,
  });
};
await serve();

let changes = 0;
process.on('message', () => {
  changes += 1;
  void serve(`/path-${changes}`).then(async () => process.send?.({ pid: await scene.nginx.pid() }));
});
process.send?.({ port: scene.https_port, cert_file, key_file });
process.once('SIGTERM', () => void scene[Symbol.asyncDispose]().then(() => process.disconnect?.()));
