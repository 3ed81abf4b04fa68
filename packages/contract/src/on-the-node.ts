/** What an agent calls things on its host, and what everybody counts on. */

/** WireGuard’s interface. */
export const MESH_INTERFACE = 'mesh0';
/** The nftables table that belongs to the agent alone. */
export const NODE_TABLE = 'mesh';
/** Where WireGuard listens, unless the host has it otherwise. */
export const WIREGUARD_PORT = 51_820;
