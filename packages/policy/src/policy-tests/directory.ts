/** Who is in the mesh, under which name and address. */
export interface Directory {
  /** The id of the node. Undefined: no node has this name. */
  byName(name: string): string | undefined;
  /** The id of the node that has it in the mesh, as IPv4 or IPv6. Undefined: no node has it. */
  byAddress(address: string): string | undefined;
  /** To suggest what may have been meant. */
  names(): Iterable<string>;
}
