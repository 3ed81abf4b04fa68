/** Names and numbers that agents use on their hosts, and that other programs rely on. */

/** WireGuard’s interface. */
export const MESH_INTERFACE = 'mesh0';
/** The nftables table that belongs to the agent alone. */
export const NODE_TABLE = 'mesh';
/** Where WireGuard listens, unless the host is configured otherwise. */
export const WIREGUARD_PORT = 51_820;
