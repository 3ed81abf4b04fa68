/** The configuration of coturn. No secret is in it: those are in its database, which it reads again every few seconds. */

import { endpointOf, familyOf } from '@meshwork/addresses';

/** Where the relay receives and sends. */
export interface TurnPlace {
  /** An address of this host. */
  readonly local: string;
  /** By what address nodes reach it, where a router in front of the host has that one. */
  readonly outside?: string | undefined;
}

export interface TurnConfig {
  readonly realm: string;
  /** Of UDP and TCP. */
  readonly port: number;
  /** Further ports that answer STUN. */
  readonly stun_ports: readonly number[];
  /** Null: not by TLS. */
  readonly tls_port: number | null;
  readonly places: readonly TurnPlace[];
  readonly allocations: number;
  readonly allocations_a_node: number;
  /** Loopback and the like count too, because the operator allows it. */
  readonly any_address: boolean;
}

/** By their names in the relay's folder. */
export const RELAY_FILES = {
  config: 'turn.conf',
  database: 'turn.sqlite',
  certificate: 'cert.pem',
  key: 'key.pem',
  log: 'turn.log',
  pid: 'turn.pid',
} as const;

/** Where it receives for nodes, and sends from: coturn's own choice, and that of most TURN servers, but for the last few. */
export const RELAYED_PORTS = { first: 49_152, last: 65_527 } as const;
/**
 * Ours: an allocation that its node has given up while the relay did not answer counts against the quota of the node for so long.
 * Nodes refresh theirs every few seconds. Without it coturn keeps them for ten minutes, and a relay that hangs a few times
 * within those would refuse its nodes.
 */
export const FORGOTTEN_AFTER_S = 60;
/** Debian's package makes it. */
export const RELAY_USER = 'turnserver';

/** Everything is denied but what the database allows: the addresses of relays. */
const DENIED = ['0.0.0.0-255.255.255.255', '::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'];

/** `fileIn`: the path of a file in the relay's folder. */
export function turnConfig(config: TurnConfig, fileIn: (name: string) => string): string {
  const { realm, port, stun_ports, tls_port, places, allocations, allocations_a_node, any_address } = config;
  const tls = [
    `tls-listening-port=${tls_port}`,
    `cert=${fileIn(RELAY_FILES.certificate)}`,
    `pkey=${fileIn(RELAY_FILES.key)}`,
    'no-tlsv1',
    'no-tlsv1_1',
  ];
  const lines = [
    `realm=${realm}`,
    'use-auth-secret',
    `userdb=${fileIn(RELAY_FILES.database)}`,
    `listening-port=${port}`,
    ...(tls_port === null ? ['no-tls'] : tls),
    'no-dtls',
    ...places.flatMap(({ local }) => [`listening-ip=${local}`, `relay-ip=${local}`]),
    ...places.flatMap(({ local, outside }) => (outside === undefined ? [] : [`external-ip=${outside}/${local}`])),
    ...places.flatMap(({ local }) => stun_ports.map((one) => `aux-server=${endpointOf(local, one)}`)),
    // A client that names no family is given IPv4, which such a relay has not.
    ...(places.every(({ local }) => familyOf(local) === 6) ? ['allocation-default-address-family=ipv6'] : []),
    `min-port=${RELAYED_PORTS.first}`,
    `max-port=${RELAYED_PORTS.last}`,
    ...DENIED.map((range) => `denied-peer-ip=${range}`),
    ...(any_address ? ['allow-loopback-peers'] : []),
    'no-multicast-peers',
    'no-tcp-relay',
    `total-quota=${allocations}`,
    `user-quota=${allocations_a_node}`,
    `max-allocate-lifetime=${FORGOTTEN_AFTER_S}`,
    'fingerprint',
    'no-cli',
    'no-rfc5780', // an answer to another address than the question's is of use to attackers alone
    'no-stun-backward-compatibility',
    'no-software-attribute',
    `proc-user=${RELAY_USER}`,
    `proc-group=${RELAY_USER}`,
    `pidfile=${fileIn(RELAY_FILES.pid)}`,
    'log-file=stdout',
    'simple-log',
    'verbose', // says what each session carries and why a request is refused
  ];
  return `${lines.join('\n')}\n`;
}
