/**
 * What the agent asks of its carrier, what the carrier answers, and what it reports by itself. A line of JSON each. First
 * comes the carrier's hello; every command has a number, and its answer has the same.
 */
import { plainAddress } from '@meshwork/addresses';
import {
  either,
  flag,
  integer,
  list,
  number,
  object,
  optional,
  type Shape,
  type TypeOf,
  text,
  utf8,
  word,
} from './shape.ts';

/** A carrier that speaks another one is ended, and a new one started. Raise it when a message here changes. */
export const PROTOCOL = 3;

/** Ours, all three: a mesh has 10,000 peers; a node speaks through its home relay, its standby, and what it moves to. */
export const MAX_LINKS = 20_000;
export const MAX_ALLOCATIONS = 16;
const MAX_PLACES = 8;
/** Two places of ours with two of the peer's, but for the way it has. */
export const MAX_SPARES = 3;
const MAX_RELAYS = 256;
const MAX_NETWORKS = 64;
/** Ours: with its header it fits into any packet of a tunnel. */
const MAX_MESSAGE_BYTES = 1000;
/** So that a change of all links is a handful of commands, and none of them holds the carrier up for long. */
const MAX_LINKS_AT_ONCE = 2000;

const id = text(200, /^[\x21-\x7e]+$/);
const address: Shape<string> = {
  problem: (value, at) =>
    typeof value === 'string' && value.length < 64 && plainAddress(value) === value
      ? undefined
      : `${at} is not an IP address in its plain form`,
};
const port = integer(1, 65_535);
const place = object({ address, port });
/** Hexadecimal. */
const transaction = text(24, /^[0-9a-f]{24}$/);
const key = text(128, /^(?:[0-9a-f]{2}){16,64}$/);

/** Where packets of a link go: through an allocation to a place that a relay has, or straight from WireGuard's own port. */
const way = either(object({ via: id, to: place }), object({ direct: place }));

const link = object({
  peer: id,
  /** Its own in 127.64.0.0/10. Absent: the one it has, or one that the carrier chooses. */
  address: optional(address),
  /** Two at most: every packet goes by each of them. None: the next packet raises `woken`. Absent: as they are. */
  ways: optional(list(way, 2)),
  /**
   * Others, the best first. It goes on by the first of them when all its ways were lost or released with their
   * allocations; and while nothing comes back, packets go by all of them too. Absent: none if there are `ways` here, else
   * as they are.
   */
  spares: optional(list(way, MAX_SPARES)),
  /** Where else the peer sends from: what comes from there at any allocation is this link's. Absent: as they are. */
  places: optional(list(place, MAX_PLACES)),
  /** What it proves itself with on the shared port. Absent: as it is. */
  key: optional(key),
});

const relay = object({
  allocation: id,
  relay: place,
  transport: word('udp', 'tcp', 'tls'),
  tls: optional(object({ servername: optional(text(253)), ca: optional(text(65_536)) })),
  credentials: object({ username: text(512), password: text(512) }),
  /** What relays it hears. */
  permit: list(address, MAX_RELAYS),
});

const message = utf8(1, MAX_MESSAGE_BYTES);
const echo = object({ addresses: list(address, 4), port, networks: list(text(64), MAX_NETWORKS) });

export const COMMANDS = {
  /** Opens the sockets, or says which there are. `loopback_port`: the one that a predecessor had, if it is free. */
  open: object({ node: id, wireguard_port: port, loopback_port: optional(port) }),
  state: object({}),
  /** What the links carried that were in use within that time. */
  traffic: object({ within_ms: integer(0, 86_400_000) }),
  links: object({ set: list(link, MAX_LINKS_AT_ONCE), remove: list(id, MAX_LINKS) }),
  allocate: relay,
  permit: object({ allocation: id, addresses: list(address, MAX_RELAYS) }),
  /** The network of the host has changed: each allocation is asked about at once, and lost if its address is gone. */
  check: object({}),
  release: object({ allocation: id }),
  /** A Binding request from WireGuard's own port. `peer`: proves itself, and believes only that peer. Absent: to a server. */
  ask: object({ to: place, peer: optional(id) }),
  /** Where echoes are answered and asked from, and messages come and go. Absent: nowhere any more. */
  listen_for_echoes: object({ echo: optional(echo) }),
  /** `bytes`: how long the question is. The answer is short. */
  echo: object({ to: address, bytes: optional(integer(32, 1452)) }),
  /** To the agent at an address of the mesh, inside the tunnel. It may be lost, and the carrier does not look into it. */
  message: object({ to: address, text: message }),
  end: object({}),
} as const;

const count = integer(0, Number.MAX_SAFE_INTEGER);
const counted = {
  sent_packets: count,
  sent_bytes: count,
  received_packets: count,
  received_bytes: count,
  /** How long ago it last sent or received. Absent: never. */
  idle_ms: optional(number),
};
const carried = object({ peer: id, ...counted });
const sockets = object({
  node: id,
  wireguard_port: port,
  loopback_port: port,
  /** Of the families that the host has. */
  shared_ports: object({ four: optional(port), six: optional(port) }),
});

const linkState = object({
  peer: id,
  address,
  /** As they are now: see `followed` and `spares`. */
  ways: list(way, 2),
  spares: list(way, MAX_SPARES),
  /** WireGuard has sent on it, and it has no way. */
  wakes: flag,
  ...counted,
});

const allocated = object({
  allocation: id,
  relay: place,
  transport: word('udp', 'tcp', 'tls'),
  /** Absent: it is not made yet, or it is lost. */
  relayed: optional(place),
  mapped: optional(place),
  channels: count,
  lost: optional(text(1000)),
});

export const ANSWERS = {
  open: sockets,
  state: object({
    sockets: optional(sockets),
    allocations: list(allocated, MAX_ALLOCATIONS),
    links: list(linkState, MAX_LINKS),
    guests: list(object({ address, via: id, from: place }), MAX_LINKS),
    echo: optional(echo),
    dropped_events: count,
  }),
  traffic: object({ links: list(carried, MAX_LINKS) }),
  links: object({ addresses: list(object({ peer: id, address }), MAX_LINKS_AT_ONCE) }),
  /** `refused`: of what was to be permitted, where the relay does not send. */
  allocate: object({ relayed: place, mapped: place, refused: list(address, MAX_RELAYS) }),
  permit: object({ refused: list(address, MAX_RELAYS) }),
  check: object({}),
  release: object({}),
  ask: object({ transaction }),
  listen_for_echoes: object({}),
  echo: object({ transaction }),
  message: object({}),
  end: object({}),
} as const;

export const EVENTS = {
  /**
   * The link was never used, or quiet for 15 s, and now this node sends on it or the peer does. What only keeps it does not
   * count: keepalives, and handshakes within 40 s of them. Also, each second, when this node sends and the link has no way: the
   * packets are kept for a moment.
   */
  woken: object({ peer: id, by: word('node', 'peer') }),
  /** The peer sends from another of its places, or to another allocation, and the link's one relayed way is there now. */
  followed: object({ peer: id, via: id, to: place }),
  /**
   * The link's ways are all relayed, and nothing has come for so long since packets left that ask for an answer. Again each
   * second while they go on leaving. One-way traffic looks the same for up to ten seconds.
   */
  silent: object({ peer: id, ms: number }),
  /** From a place that no link has. WireGuard hears it from this address, and knows by the handshake who it is. */
  guest: object({ address, via: id, from: place }),
  allocation_lost: object({ allocation: id, reason: text(1000) }),
  /** To an `ask`. `from`: where the answer came from. */
  answered: object({ transaction, from: place, mapped: place, rtt_ms: number }),
  /** A peer that proved itself has sent a Binding request, and was answered. */
  asked: object({ peer: id, from: place }),
  /** `bytes`: how long the question was. */
  echoed: object({ transaction, from: address, bytes: count, rtt_ms: number }),
  /** From the agent at an address of the mesh. */
  messaged: object({ from: address, text: message }),
} as const;

export type CommandName = keyof typeof COMMANDS;
export type Command<N extends CommandName> = TypeOf<(typeof COMMANDS)[N]>;
export type Answer<N extends CommandName> = TypeOf<(typeof ANSWERS)[N]>;
export type EventName = keyof typeof EVENTS;
export type CarrierEvent<N extends EventName> = TypeOf<(typeof EVENTS)[N]>;
export type WantedLink = TypeOf<typeof link>;
export type WantedWay = TypeOf<typeof way>;

export const HELLO = object({ hello: object({ protocol: count, version: text(100), pid: count }) });
