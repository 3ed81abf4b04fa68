/** What an event makes untrue of what is on the screen, as the areas of the operations that read it. */
import type { EventType } from '@meshwork/contract';

type Family = EventType extends `${infer Name}.${string}` ? Name : never;

/** `explain` looks at everything, so almost everything touches `acls`; every change has its entry in `audit`. */
const TOUCHED: Readonly<Record<Family, readonly string[]>> = {
  node: ['nodes', 'peers', 'overview', 'acls', 'firewall'],
  operation: ['operations', 'nodes', 'overview'],
  policy: ['acls', 'nodes', 'peers', 'overview'],
  firewall: ['firewall', 'acls', 'overview'],
  relay: ['relays', 'nodes', 'peers', 'acls', 'overview'],
  route: ['nodes', 'acls', 'overview'],
  ingress: ['ingress', 'nodes', 'overview'],
  token: ['tokens', 'overview'],
  settings: ['settings', 'overview'],
};

export function touchedAreas(type: EventType): readonly string[] {
  const family = type.slice(0, type.indexOf('.')) as Family;
  // A newer coordinator may tell of what this page does not know yet.
  return [...(TOUCHED[family] ?? []), 'audit'];
}
