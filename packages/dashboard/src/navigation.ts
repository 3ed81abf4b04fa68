/** Every feature of the dashboard, as it stands in the navigation. A new one is a folder under `features/` and its line here. */
import type { Feature } from './feature.ts';
import { feature as access } from './features/access/index.ts';
import { feature as audit } from './features/audit/index.ts';
import { feature as events } from './features/events/index.ts';
import { feature as firewall } from './features/firewall/index.ts';
import { feature as nodes } from './features/nodes/index.ts';
import { feature as overview } from './features/overview/index.ts';
import { feature as people } from './features/people/index.ts';
import { feature as profile } from './features/profile/index.ts';
import { feature as reach } from './features/reach/index.ts';
import { feature as roles } from './features/roles/index.ts';
import { feature as settings } from './features/settings/index.ts';
import { feature as tokens } from './features/tokens/index.ts';
import { feature as topology } from './features/topology/index.ts';

export interface NavigationSection {
  readonly title: string;
  readonly features: readonly Feature[];
}

export const NAVIGATION: readonly NavigationSection[] = [
  { title: 'Mesh', features: [overview, topology, nodes, reach] },
  { title: 'Access', features: [access, firewall, tokens] },
  { title: 'Organisation', features: [people, roles, audit] },
  { title: 'System', features: [events, settings] },
];

/** Also those that are reached by other ways: the own account is in the menu of the person. */
export const FEATURES: readonly Feature[] = [...NAVIGATION.flatMap(({ features }) => features), profile];
