/**
 * Nodes: the list, enrolment (`enrol/`), and one node with everything that is known of it (`detail/`) and can be asked of it
 * (`asks/`), which becomes an operation that a heartbeat proves (`operations/`). Start with `nodes-page.tsx`, then `node-page.tsx`.
 */
import type { Attention } from '@meshwork/contract';
import { IconServer2 } from '@tabler/icons-react';
import type { Feature, Remedy } from '../../feature/feature.ts';
import { NODE_EVENTS, OPERATION_EVENTS } from './node-events.ts';
import { NODE_SETTINGS } from './node-settings.ts';

const toNode =
  (label = 'Open node') =>
  ({ id }: Attention['subject']): Remedy => ({ page: { to: `/nodes/${id}`, label } });

export const feature: Feature = {
  id: 'nodes',
  title: 'Nodes',
  navigation: { group: 'Mesh', icon: IconServer2 },
  permission: 'nodes:read',
  pages: [
    { path: '/nodes', load: () => import('./nodes-page.tsx') },
    { path: '/nodes/operations', load: () => import('./operations/operations-page.tsx') },
    { path: '/nodes/operations/$id', load: () => import('./operations/operation-page.tsx') },
    { path: '/nodes/$id', load: () => import('./node-page.tsx') },
  ],
  figures: ({ operations }) => {
    if (operations === null) return [];
    const { open, failed_lately } = operations;
    return [
      {
        title: 'Operations in progress',
        value: open.toLocaleString(),
        caption: `${failed_lately === 0 ? 'None' : failed_lately.toLocaleString()} failed in the last 24 hours`,
        link: { to: '/nodes/operations', search: { state: 'open' }, label: 'View operations' },
        isTroubled: failed_lately > 0,
      },
    ];
  },
  attention: {
    node_unreachable: toNode(),
    node_stale: toNode(),
    node_rolled_back: toNode(),
    node_drifting: toNode(),
    node_clock: toNode(),
    node_pending: toNode('Review and approve'),
    node_quarantined: toNode(),
    operation_failed: ({ id }) => ({ page: { to: `/nodes/operations/${id}`, label: 'Open operation' } }),
  },
  events: { node: NODE_EVENTS, operation: OPERATION_EVENTS },
  sections: { self: 'Name and addresses', peers: 'Peers' },
  settings: NODE_SETTINGS,
  audit: {
    actions: ['fleet.end_operations', 'nodes.forget', 'nodes.mark_overdue', 'operations.forget'],
    targets: { node: (id) => `/nodes/${id}`, operation: (id) => `/nodes/operations/${id}` },
  },
};
