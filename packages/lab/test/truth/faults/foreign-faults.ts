/** Rules of other programs on the host, beside those of the agent. */
import { MESH_INTERFACE } from '@meshwork/contract';
import type { Fault } from './fault.ts';
import { nft } from './filter-faults.ts';

const PORTS = 'tcp dport 7001-7003';

/** A table of another program. The last word of its name is what is deleted again. */
const table = (name: string, chain: string): Fault => ({
  hidden: true,
  begin: async ({ world, node }) => {
    const host = world.host(node);
    await nft(host, `table ${name} {\n${chain}\n}`);
    return () => nft(host, `delete table ${name}`);
  },
});

const chain = (hook: string, priority: number, rule: string) =>
  `chain here {\n type filter hook ${hook} priority ${priority}; policy accept;\n ${rule}\n }`;

export const FOREIGN_FAULTS = {
  'foreign-drop-before': table('inet other', chain('input', -150, `iifname "${MESH_INTERFACE}" ${PORTS} drop`)),
  'foreign-drop-after': table('inet other', chain('input', 150, `${PORTS} drop`)),
  /** No `reject`: a prober cannot tell the reset of its own host from that of the other one. */
  'foreign-drop-out': table('inet other', chain('output', 10, `${PORTS} drop`)),
  /** An accept of one base chain does not keep the next one from dropping: nothing changes. */
  'foreign-accept': table('inet other', chain('input', -150, `${PORTS} accept`)),
  'foreign-drop-underlay': table('inet other', chain('input', -10, 'udp dport 51820 drop')),
  /** As iptables-nft writes `iptables -A INPUT -p tcp -m multiport --dports 7001:7003 -j DROP`. */
  'iptables-drop': table(
    'ip filter',
    `chain INPUT {\n type filter hook input priority filter; policy accept;\n meta l4proto tcp ${PORTS} counter drop\n }`,
  ),
} as const satisfies Record<string, Fault>;
