/** One link between two nodes: which way its packets go, why, and which ways they took before. Start with `link-page.tsx`. */
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'links',
  title: 'Link',
  permission: 'peers:read',
  pages: [{ path: '/links/$a/$b', load: () => import('./link-page.tsx') }],
};
