import type { Family } from '@meshwork/addresses';
import type { Stored } from '../../mesh/model.ts';

/** What the name of a node resolves to on another one, by the names that the agent keeps there. Hosts prefer the last. */
export function familiesOf(source: Stored<'node'> | undefined, node: Stored<'node'>): readonly Family[] {
  const has6 = (each: Stored<'node'> | undefined) => each !== undefined && each.body.address6 !== null;
  return has6(source) && has6(node) ? [4, 6] : [4];
}

export function addressIn({ body }: Stored<'node'>, family: Family | undefined): string {
  return (family === 6 ? body.address6 : null) ?? body.address;
}
