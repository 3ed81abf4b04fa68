/** What an agent needs of the policy: how grants and host rules become a table of nftables. The rest stays at the coordinator. */
export type { AclPeer } from './acl-sets.ts';
export { type CompiledNode, compileNode, type NodeInput } from './compile-node.ts';

export { type TableContent, tableChange } from './table-change.ts';
