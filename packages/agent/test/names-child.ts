/** The names of a host, as its agent keeps them: takes answers of a coordinator, one a line, and says what became of them. */

import { createInterface } from 'node:readline';
import type { HeartbeatReply } from '@meshwork/contract';
import { HostDataPlane } from '../src/data-plane/host-data-plane.ts';
import { names } from '../src/engines/names/engine.ts';
import { openLog } from '../src/host/log.ts';
import { PeerPlaces } from '../src/host/peer-places.ts';
import { messageOf } from '../src/message-of.ts';
import { HeldView } from '../src/view/held-view.ts';
import { NO_KEY } from './recorded-engines.ts';

export type NamesCall =
  | { readonly call: 'take'; readonly reply: Partial<HeartbeatReply> }
  /** Finds what another program has changed, and puts it right. */
  | { readonly call: 'check'; readonly later_ms?: number }
  | { readonly call: 'diagnose' }
  | { readonly call: 'report' }
  | { readonly call: 'remove' };

const [, , folder = '', by = 'dns'] = process.argv;
let later_ms = 0;
const now = () => Date.now() + later_ms;
const engine = await names.open({
  folder,
  key: NO_KEY,
  port: 51_820,
  offered: [],
  accept_routes: 'subnets',
  coordinators: ['mesh.example.org'],
  tls: { group: undefined, reload: [] },
  relay: { folder: '/run/mesh-relay', certificate: undefined, key: undefined },
  gateway: {
    folder: '/run/mesh-gateway',
    http_port: 80,
    https_port: 443,
    proxy_protocol: [],
    waf: { rules: '/usr/share/modsecurity-crs', countries: undefined },
  },
  names: by === 'hosts' ? 'hosts' : 'dns',
  log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
  now,
  lost: () => undefined,
  node: 'node_1',
  places: new PeerPlaces(),
  reapply: () => undefined,
  news: () => undefined,
  mapped: () => undefined,
  forwarded: () => undefined,
});
const view = new HeldView();
const plane = new HostDataPlane({ engines: [engine], keptOut: () => [], relays: () => [], now });
let revision = 0;

async function answer(given: NamesCall): Promise<unknown> {
  switch (given.call) {
    case 'take': {
      revision += 1;
      const sections = view.take({ revision, next_s: 0, ...given.reply });
      for (const section of sections) await plane.apply(section, view);
      return null;
    }
    case 'check': {
      later_ms += given.later_ms ?? 0;
      const found = await engine.drift();
      if (found === null) return null;
      engine.distrust();
      for (const section of engine.traits.on_drift) await plane.apply(section, view);
      return found;
    }
    case 'diagnose':
      return await engine.diagnose?.(undefined);
    case 'report':
      return plane.report();
    case 'remove':
      await names.remove(folder);
      return null;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const said = await answer(JSON.parse(line) as NamesCall).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: messageOf(error) }),
  );
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
process.exit(0);
