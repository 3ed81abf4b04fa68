/**
 * Links: which way the packets of each peer go.
 *
 *   links-engine.ts   what is wanted, and what is reported       relay-seats.ts, relay-seat.ts  places at relays
 *   link-table.ts     a link for each peer, as the carrier has it relay-ways.ts   ways through relays, the best first
 *   active-links.ts   those in use                               active-link.ts   the path of one of them
 *   direct-search.ts  one search for a direct path               direct-watch.ts  whether a direct path carries
 *   questions.ts, ask-each.ts  requests from WireGuard's own port  network-changes.ts  addresses and routes of this host
 *   diagnosis.ts      for those who look for a fault             proven-places.ts  where peers have shown to be
 *   path-message.ts   what two agents say to each other          pair-key.ts      what they prove themselves with
 *   own-mapping.ts    how relays see WireGuard's port            around.ts        relays, endpoints and families
 *   peer-relays.ts    relays that peers receive by               next-ports.ts    guessing the port of a NAT that counts
 *   mtu-probes.ts     how large packets get to peers             path-mtu.ts      by one path
 */
import { Carrier } from '../../carrier/carrier.ts';
import { deleteTables } from '../../carrier/tables/load-tables.ts';
import { runCommand } from '../../host/run-command.ts';
import type { Engine } from '../engine.ts';
import { LinksEngine, TRAITS } from './links-engine.ts';

export const links: Engine = {
  ...TRAITS,
  lacks: async () => [], // nftables, which the packet filter names
  open: async ({ folder: run_folder, ...host }) =>
    new LinksEngine({ ...host, carrier: new Carrier({ run_folder }), run: runCommand }),
  async remove(run_folder) {
    await new Carrier({ run_folder }).remove();
    await deleteTables(runCommand);
  },
};
