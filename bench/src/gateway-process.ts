/** A gateway of an agent on loopback, with one ingress. Changes it when it is asked to. */
import { gatewayScene } from '@meshwork/agent/testing/gateway';
import { ingressOf, routeOf, targetOf } from '@meshwork/agent/testing/ingress';

const [hostname = '', pace = '', ...ports] = process.argv.slice(2);
const scene = await gatewayScene(pace === 'unpaced' ? { reload_every_ms: 0 } : {});
const { chain, cert_file, key_file } = await scene.certificate(hostname);
const targets = ports.map((port, index) => targetOf(index + 1, { address: '127.0.0.1', port: Number(port) }));
const serve = (...paths: readonly string[]) => {
  const routes = ['/', ...paths].map((path) => routeOf({ path, targets, check: { kind: 'none' } }));
  return scene.server.serve({
    section: [ingressOf(1, { hostname, tls: { chain, redirect: true }, routes, counted: true })],
    ca: undefined,
  });
};
await serve();

let changes = 0;
process.on('message', () => {
  changes += 1;
  const asked = performance.now();
  void serve(`/path-${changes}`).then(() => process.send?.({ took_ms: performance.now() - asked }));
});
process.send?.({ port: scene.https_port, cert_file, key_file, pid: await scene.nginx.pid() });
process.once('SIGTERM', () => void scene[Symbol.asyncDispose]().then(() => process.disconnect?.()));
