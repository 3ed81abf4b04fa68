/** An agent of a test that can be killed: starts a carrier in the folder that is named, sets links, says its process, and waits. */
import { Carrier } from '../src/carrier/carrier.ts';

const carrier = new Carrier({ run_folder: process.argv[2] ?? '' });
await carrier.ensure();
await carrier.ask('open', { node: 'node-1', wireguard_port: 51_820 });
await carrier.ask('links', { set: [{ peer: 'node-2' }], remove: [] });
process.stdout.write('ready\n');
setInterval(() => undefined, 60_000);
