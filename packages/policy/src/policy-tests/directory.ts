/** Who is in the mesh, under which name and address. */
export interface Directory {
  /** The id of the node. Undefined: nobody is called so. */
  byName(name: string): string | undefined;
  /** The id of the node that has it in the mesh, as IPv4 or IPv6. Undefined: nobody has it. */
  byAddress(address: string): string | undefined;
  /** To say what may have been meant. */
  names(): Iterable<string>;
}
