/**
 * Numbers and names that we use on every host. Another program that uses one of them conflicts with us: they are here in one place
 * so that operators can look them up.
 */

/** On what WireGuard itself sends. Free of the bits that kube-proxy (0xc000) and Tailscale (0xff0000) give a meaning to. */
export const WIREGUARD_MARK = 0x1cf2;
/** The routing table with all that goes into the mesh. `main` stays as the host has it. */
export const ROUTE_TABLE = 7400;
/** The same at the full MTU, for what asks how large packets may be. There is something in it only while a peer has a smaller one. */
export const FULL_SIZE_TABLE = 7401;
/** Who made a route or a rule, as the kernel keeps it: `ip route show proto 74 table 7400`. */
export const ROUTE_PROTOCOL = 74;
/** How the tables of nftables begin in which a probe counts packets, while it runs. */
export const PROBE_TABLES = 'mesh_probe_';
/** The table of nftables that keeps the relay of this host to relays. */
export const RELAY_TABLE = 'mesh_relay';
/** The tables of nftables by which WireGuard and the carrier meet, on loopback and at WireGuard's own port. */
export const CARRIER_TABLES = { loopback: 'mesh_carrier', shared_port: 'mesh_shared_port' } as const;
/** Each relayed peer has an address of its own in it. */
export const LINK_NETWORK = '127.64.0.0/10';
/** UDP, on addresses of the mesh: where agents speak with each other inside the tunnel. The packet filter lets it pass. */
export const AGENT_PORT = 51_821;
/** Room for WireGuard’s 80 bytes of IPv6, UDP and its own in a packet of 1,500. */
export const MESH_MTU = 1420;

/**
 * Priorities of our rules for routing, asked from the lowest on and before `main` (32766):
 *
 * 0. Only with peers of a smaller MTU: what asks how large packets to them may be goes into the mesh as it is.
 * 1. What WireGuard sends goes the host’s own way, and never into the mesh again.
 * 2. So does what goes to the coordinators: without them the mesh could not be mended.
 * 3. And what goes to networks that the host itself is in, where a route into the mesh covers them.
 * 4. Then what is routed into the mesh, all but a default route.
 * 5. Only with a default route into the mesh: all that the host knows a way to, but for its own default route.
 * 6. Only then: the rest, by the default route into the mesh.
 */
export const RULE_PRIORITY = {
  full_size: 7399,
  wireguard: 7400,
  kept_out: 7401,
  connected: 7402,
  mesh: 7403,
  host: 7404,
  rest: 7405,
} as const;
