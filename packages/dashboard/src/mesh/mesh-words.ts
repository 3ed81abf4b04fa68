import type { Node } from '@meshwork/contract';
import { useMemo } from 'react';
import { callCoordinator, useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';

/** Names that exist in the mesh, for completion. */
export interface MeshWords {
  readonly tags: readonly string[];
  /** `platform/git/production`, as selectors name a boundary. */
  readonly scopes: readonly string[];
  /** `tcp:22`, and what listens there. */
  readonly ports: ReadonlyMap<string, string>;
  /** Networks that nodes forward to. */
  readonly networks: readonly string[];
  /** Names of nodes with this in them. */
  readonly nodesLike: (part: string) => Promise<readonly string[]>;
}

/** Tags, boundaries and ports are collected from this many nodes; the rest rarely adds new ones. */
const LOOKED_AT = 200;
const FOUND_AT_ONCE = 20;

/** Empty for those who may not see nodes. */
export function useMeshWords(): MeshWords {
  const permitted = useMay()('nodes:read');
  const { data } = useRead('nodes.list', { query: { limit: LOOKED_AT } }, { enabled: permitted });
  const nodes = data?.body.items;
  return useMemo(() => wordsOf(nodes ?? [], permitted), [nodes, permitted]);
}

function wordsOf(nodes: readonly Node[], permitted: boolean): MeshWords {
  const ports = nodes.flatMap(({ service_bindings }) =>
    service_bindings.map(({ protocol, port, name }) => [`${protocol}:${port}`, name] as const),
  );
  return {
    tags: sorted(nodes.flatMap(({ tags }) => tags)),
    scopes: sorted(nodes.map(scopeOf)),
    ports: new Map(ports),
    networks: sorted(nodes.flatMap(({ routes_approved, routes_offered }) => [...routes_approved, ...routes_offered])),
    nodesLike: async (part) => {
      if (!permitted) return [];
      const q = part.slice(0, 100);
      const { body } = await callCoordinator('nodes.list', {
        query: { ...(q === '' ? {} : { q }), limit: FOUND_AT_ONCE },
      });
      return body.items.map(({ name }) => name);
    },
  };
}

function scopeOf({ tags }: Node): string {
  const part = (name: string) => tags.find((tag) => tag.startsWith(`${name}:`))?.slice(name.length + 1) ?? '*';
  return `${part('team')}/${part('surface')}/${part('env')}`;
}

function sorted(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort();
}
