/** Networks behind nodes. The node page has their approval; this is what other pages show of them. */
import type { Attention } from '@meshwork/contract';
import type { Feature, Remedy } from '../../feature/feature.ts';

const explain = ({ id }: Attention['subject']): Remedy => ({
  page: { to: '/reach', search: { to: addressInside(id) }, label: 'See who can reach it' },
});

const openNode = ({ id }: Attention['subject']): Remedy => ({ page: { to: `/nodes/${id}`, label: 'Open node' } });

export const feature: Feature = {
  id: 'routes',
  title: 'Routes',
  permission: 'nodes:read',
  attention: { route_down: explain, route_overlap: explain, route_refused: openNode, route_unapproved: openNode },
  events: {
    route: {
      title: 'Route events',
      subject: ({ subject }) => `Route ${subject.id}`,
      to: () => null,
      happened: {
        'route.moved': ({ to }) => (to === null ? 'has no gateway' : `moved to ${to}`),
        'route.overlapped': 'overlaps a route of another boundary',
        'route.overlap_ended': 'no longer overlaps a route of another boundary',
      },
      stale: ['nodes', 'acls', 'overview'],
    },
  },
};

/** An address of a network, because that is what a reach question takes: `10.20.0.0/16` has 10.20.0.1. */
function addressInside(cidr: string): string {
  const [network = '', bits = ''] = cidr.split('/');
  if (bits === '32' || bits === '128') return network;
  if (network.endsWith('::')) return `${network}1`;
  const last = /\.(\d+)$/.exec(network);
  return last === null ? network : network.replace(/\d+$/, String(Number(last[1]) + 1));
}
