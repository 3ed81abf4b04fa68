import { useMemo } from 'react';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';

export interface MeshChoices {
  /** Services that nodes report for the protocol, with how many nodes do. */
  readonly services: ReadonlyMap<string, number>;
  /** `tag:role:gateway`, `node:gw-1`. */
  readonly selectors: readonly string[];
}

/** As many as one answer has; what is not offered can be typed. */
const LOOKED_AT = 200;

/** What is there to choose from. Empty for those who may not see nodes. */
export function useMeshChoices(wanted: 'tcp' | 'udp'): MeshChoices {
  const enabled = useMay()('nodes:read');
  const { data } = useRead('nodes.list', { query: { limit: LOOKED_AT } }, { enabled });
  const nodes = data?.body.items;
  return useMemo(() => {
    const services = new Map<string, number>();
    for (const { service_bindings } of nodes ?? []) {
      const names = service_bindings.filter(({ protocol }) => protocol === wanted).map(({ name }) => name);
      for (const name of new Set(names)) services.set(name, (services.get(name) ?? 0) + 1);
    }
    const tags = new Set((nodes ?? []).flatMap((node) => node.tags.map((tag) => `tag:${tag}`)));
    return {
      services,
      selectors: [...[...tags].sort(), ...(nodes ?? []).map(({ name }) => `node:${name}`).sort()],
    };
  }, [nodes, wanted]);
}
