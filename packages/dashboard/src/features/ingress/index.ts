/** Ingresses let traffic into the mesh through gateway nodes. They have no page yet, only what other pages show of them. */

import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'ingress',
  title: 'Ingress',
  permission: 'ingress:read',
  figures: ({ ingress }) => {
    if (ingress === null || ingress.total === 0) return [];
    const { total, served } = ingress;
    return [
      {
        title: 'Ingresses',
        value: `${served} of ${total}`,
        caption: 'served by a gateway',
        isTroubled: served < total,
      },
    ];
  },
  attention: { ingress_unserved: ({ name }) => ({ command: `mesh ingress show ${name}` }) },
  events: {
    ingress: {
      title: 'Ingress events',
      subject: (event) => `Ingress ${nameIn(event)}`,
      to: () => null,
      happened: {
        'ingress.created': 'was created',
        'ingress.changed': 'was updated',
        'ingress.deleted': 'was deleted',
        'ingress.placed': ({ gateways }) =>
          gateways.length === 0 ? 'has no gateway' : `is served by ${gateways.join(', ')}`,
      },
      stale: ['ingress', 'nodes', 'overview'],
    },
  },
  sections: { ingress: 'Ingresses' },
};
