import type { RelayAccess } from '@meshwork/contract';
import { textOf } from '../../stun/place-text.ts';
import type { ActiveLinks } from './active-links.ts';
import type { LinkTable } from './link-table.ts';
import type { OwnMapping } from './own-mapping.ts';
import type { RelaySeats } from './relay-seats.ts';

interface Links {
  readonly access: readonly RelayAccess[];
  readonly seats: RelaySeats;
  readonly table: LinkTable;
  readonly active: ActiveLinks;
  readonly mapping: OwnMapping;
}

/** Ours: links that it names at most. */
const MAX_SHOWN = 100;

/** What an operator who looks for a fault wants to know of them. */
export function diagnosisOf({ access, seats, table, active, mapping }: Links) {
  const relays = access.map(({ relay: { name } }) => {
    const { seat, problem } = seats.of(name) ?? {};
    return seat === undefined
      ? { relay: name, problem: problem ?? null }
      : { relay: name, via: seat.transport, at: textOf(seat.relayed) };
  });
  const in_use = [...active.all].slice(0, MAX_SHOWN).map(([peer, { place, why, tried }]) => ({
    peer: table.get(peer)?.peer.name ?? peer,
    path: place === undefined ? 'relay' : 'direct',
    why,
    tried,
  }));
  const { nat = null, endpoints } = mapping;
  return { paths: { nat, seen_at: endpoints, relays, links: table.size, in_use } };
}
