/**
 * Nodes: the list, enrolment (`enrol/`), and one node with everything that is known of it (`detail/`) and can be asked of it
 * (`asks/`), which becomes an operation that a heartbeat proves (`operations/`). Start with `nodes-page.tsx`, then `node-page.tsx`.
 */
import { IconServer2 } from '@tabler/icons-react';
import type { Feature } from '../../feature.ts';

export const feature: Feature = {
  id: 'nodes',
  title: 'Nodes',
  icon: IconServer2,
  permission: 'nodes:read',
  pages: [
    { path: '/nodes', load: () => import('./nodes-page.tsx') },
    { path: '/nodes/operations', load: () => import('./operations/operations-page.tsx') },
    { path: '/nodes/operations/$id', load: () => import('./operations/operation-page.tsx') },
    { path: '/nodes/$id', load: () => import('./node-page.tsx') },
  ],
};
