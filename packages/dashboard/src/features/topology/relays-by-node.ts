import { useMemo } from 'react';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';

/** Names of the relays that each node runs, by its id. */
export type RelaysByNode = ReadonlyMap<string, readonly string[]>;

/** Empty for those who may not see relays. External ones run on no node. */
export function useRelaysByNode(): RelaysByNode {
  const { items } = useList('relays.list', undefined, { enabled: useMay()('relays:read') });
  const known = JSON.stringify(items.flatMap(({ name, node }) => (node === null ? [] : [[node, name]])));
  // Load and health change all the time, and the drawing does not depend on them.
  return useMemo(() => {
    const byNode = new Map<string, string[]>();
    for (const [node, name] of JSON.parse(known) as readonly (readonly [string, string])[]) {
      byNode.set(node, [...(byNode.get(node) ?? []), name]);
    }
    return byNode;
  }, [known]);
}
