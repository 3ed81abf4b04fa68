/** Every feature of the dashboard. A new one is a folder beside this file and its line here; everything else derives from the list. */
import type { Feature } from '../feature/feature.ts';
import { feature as access } from './access/index.ts';
import { feature as audit } from './audit/index.ts';
import { feature as certificates } from './certificates/index.ts';
import { feature as events } from './events/index.ts';
import { feature as firewall } from './firewall/index.ts';
import { feature as givenCertificates } from './given-certificates/index.ts';
import { feature as ingress } from './ingress/index.ts';
import { feature as links } from './links/index.ts';
import { feature as names } from './names/index.ts';
import { feature as nodes } from './nodes/index.ts';
import { feature as outsideAuthorities } from './outside-authorities/index.ts';
import { feature as overview } from './overview/index.ts';
import { feature as people } from './people/index.ts';
import { feature as profile } from './profile/index.ts';
import { feature as reach } from './reach/index.ts';
import { feature as relays } from './relays/index.ts';
import { feature as roles } from './roles/index.ts';
import { feature as routes } from './routes/index.ts';
import { feature as settings } from './settings/index.ts';
import { feature as tokens } from './tokens/index.ts';
import { feature as topology } from './topology/index.ts';
import { feature as waf } from './waf/index.ts';

/** In the order of the navigation, of the figures on the overview and of the sections on the settings page. */
export const FEATURES: readonly Feature[] = [
  overview,
  topology,
  links,
  nodes,
  reach,
  relays,
  routes,
  ingress,
  givenCertificates,
  outsideAuthorities,
  waf,
  names,
  access,
  firewall,
  tokens,
  certificates,
  people,
  roles,
  audit,
  events,
  settings,
  profile,
];
