/** The packet filter, the network and the names of a node with all that listens for changes, in a namespace of its own. Says what happens as lines of JSON. */
import { join } from 'node:path';
import type { AppliedSection, HeartbeatReply } from '@meshwork/contract';
import { systemClock } from '@meshwork/time';
import { HostDataPlane } from '../src/data-plane/host-data-plane.ts';
import { Listening } from '../src/data-plane/listening.ts';
import { FirewallEngine } from '../src/engines/firewall/engine.ts';
import { NftFirewall } from '../src/engines/firewall/nft-firewall.ts';
import { NamesEngine } from '../src/engines/names/engine.ts';
import { HostsFile } from '../src/engines/names/hosts-file/hosts-file.ts';
import { NetworkEngine } from '../src/engines/network/engine.ts';
import { IpNetwork } from '../src/engines/network/ip-network.ts';
import { HeldView } from '../src/view/held-view.ts';

const [folder = '', reply = ''] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const failed = (error: unknown) => say({ failed: String(error) });

const view = new HeldView();
view.take(JSON.parse(reply) as HeartbeatReply);
const accept_routes = 'subnets';
const plane = new HostDataPlane(
  {
    engines: [
      new FirewallEngine({ firewall: new NftFirewall(), offered: ['10.20.0.0/16'], accept_routes }),
      new NetworkEngine({ network: new IpNetwork({ folder }), accept_routes }),
      new NamesEngine(new HostsFile({ path: join(folder, 'hosts') }), []),
    ],
    keptOut: () => [],
    relays: () => [],
    now: () => systemClock.now(),
  },
  { repaired: (section, found) => say({ repaired: section, found }) },
);

let work = Promise.resolve();
const apply = (section: AppliedSection) => {
  work = work.then(async () => {
    const { error } = await plane.apply(section, view).catch((reason: unknown) => ({ error: String(reason) }));
    say({ applied: section, error });
  });
};
plane.onChange((drifted) => {
  if (drifted.length === 0) say({ observed: plane.observe('changes') });
  for (const section of drifted) apply(section);
});
for (const section of ['self', 'peers', 'acl', 'firewall'] as const) apply(section);
await work;
const listening = new Listening({ plane, clock: systemClock, failed });
const running = listening.run(new AbortController().signal);
process.stdin.on('data', () => void plane.check().then(() => say({ checked: true, hears: listening.hears })));
process.stdin.on('end', () => process.exit());
await running;
