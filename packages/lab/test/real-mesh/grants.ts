import type { Scene } from '../lab-scene.ts';

interface Grant {
  readonly from: string;
  readonly to: string;
  readonly allow: readonly string[];
}

/** Each node is a group of its own name, and each role that of its tag. */
export async function setGrants(
  { lab, client }: Pick<Scene, 'lab' | 'client'>,
  grants: readonly Grant[],
  roles: readonly string[] = [],
): Promise<void> {
  const groups = Object.fromEntries([
    ...Array.from(lab.nodes.keys(), (name) => [name, [`node:${name}`]]),
    ...roles.map((role) => [role, [`tag:role:${role}`]]),
  ]);
  await client.call('acls.replace', { body: JSON.stringify({ groups, grants }) });
}
