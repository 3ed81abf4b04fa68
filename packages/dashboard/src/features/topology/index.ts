/** The links between nodes, as a drawing and as a list. Start with `topology-page.tsx`. */
import { IconTopologyStar3 } from '@tabler/icons-react';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'topology',
  title: 'Topology',
  navigation: { group: 'Mesh', icon: IconTopologyStar3 },
  permission: 'peers:read',
  pages: [{ path: '/topology', load: () => import('./topology-page.tsx') }],
};
