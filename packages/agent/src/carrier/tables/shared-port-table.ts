import { CARRIER_TABLES } from '../../host/own-numbers.ts';
import { MAGIC_COOKIE } from '../../stun/message.ts';

interface SharedPorts {
  readonly wireguard_port: number;
  /** Of the families that the carrier has a socket of. */
  readonly shared_ports: { readonly four?: number | undefined; readonly six?: number | undefined };
  /** That of what WireGuard sends, by which it goes the host's own way. */
  readonly mark: number;
}

/** Binding requests, their answers and refusals. WireGuard's packets begin with 1 to 4 and three zeros, so none is taken for one. */
const BINDINGS = '{ 0x0001, 0x0101, 0x0111 }';

/**
 * Lets the carrier speak STUN from WireGuard's own port, so that what a NAT maps for it is mapped for WireGuard. What comes
 * in is handed to the carrier's socket at the very end of the host's own packet filter, which thus sees WireGuard's port. What
 * goes out has WireGuard's port before connections are tracked, and WireGuard's mark. The socket's own port hears nothing.
 */
export function sharedPortTable({ wireguard_port, shared_ports: { four, six }, mark }: SharedPorts): string {
  const families = [['ip', four] as const, ['ip6', six] as const];
  const rules = (rule: (family: string, port: number) => string) =>
    families.flatMap(([family, port]) => (port === undefined ? [] : [`    ${rule(family, port)}`])).join('\n');
  const binding = `@th,64,16 ${BINDINGS} @th,96,32 0x${MAGIC_COOKIE.toString(16)}`;
  const protocol = (family: string) => `meta nfproto ${family === 'ip' ? 'ipv4' : 'ipv6'}`;
  const table = CARRIER_TABLES.shared_port;
  return `table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain in {
    type filter hook input priority 300; policy accept;
${rules((family, port) => `iif != lo ${protocol(family)} udp dport ${port} drop`)}
${rules((family, port) => `${protocol(family)} udp dport ${wireguard_port} ${binding} udp dport set ${port}`)}
  }
  chain out {
    type route hook output priority -310; policy accept;
${rules((family, port) => `oif != lo ${protocol(family)} udp sport ${port} udp sport set ${wireguard_port} meta mark set ${mark}`)}
  }
}
`;
}
