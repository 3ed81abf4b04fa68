import { CARRIER_TABLES, LINK_NETWORK } from '../../host/own-numbers.ts';

interface LoopbackPorts {
  readonly wireguard_port: number;
  readonly loopback_port: number;
}

/**
 * Makes one socket of the carrier look like one per peer to WireGuard. A peer's endpoint is its own address in 127.64.0.0/10
 * and the carrier's port: what WireGuard sends there reaches the socket from that very address, and what the socket sends
 * to that address reaches WireGuard from it. No packet of this is tracked, so that ten thousand peers fill no table of the
 * kernel's. The text replaces what was loaded before.
 */
export function loopbackTable({ wireguard_port, loopback_port }: LoopbackPorts): string {
  const [table, peers] = [CARRIER_TABLES.loopback, `oif lo ip daddr ${LINK_NETWORK}`];
  return `table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain out {
    type filter hook output priority -310; policy accept;
    ${peers} udp sport ${wireguard_port} udp dport ${loopback_port} ip saddr set ip daddr ip daddr set 127.0.0.1 notrack
    ${peers} udp sport ${loopback_port} udp dport ${wireguard_port} ip saddr set ip daddr notrack
  }
}
`;
}
