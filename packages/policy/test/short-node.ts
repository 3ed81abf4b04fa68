import type { PolicyNode } from '../src/policy-node.ts';

/** A node by its name, with what is not usual about it. The boundary is as in a selector: `team/surface/environment`. */
export type ShortNode = Partial<Omit<PolicyNode, 'id' | 'boundary'>> & {
  readonly name: string;
  readonly boundary?: string;
};

/** Its id is its name. */
export function shortNode({ boundary = '*/*/*', ...rest }: ShortNode): PolicyNode {
  const [team = '', surface = '', environment = ''] = boundary.split('/');
  const usual = { tags: [], fresh: true, agent_version: null, provides: [], shares: [] };
  return { ...usual, ...rest, id: rest.name, boundary: { team, surface, environment } };
}

/** Nodes that have one tag. */
export function tagged(tag: string, ...names: readonly string[]): readonly PolicyNode[] {
  return names.map((name) => shortNode({ name, tags: [tag] }));
}
