/** Relays carry traffic between nodes that cannot reach each other directly. They have no page yet, only what other pages show of them. */

import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'relays',
  title: 'Relays',
  permission: 'relays:read',
  figures: ({ relays }) => {
    if (relays === null) return [];
    const { total, healthy } = relays;
    return [
      {
        title: 'Relays',
        value: total === 0 ? 'None' : `${healthy} of ${total}`,
        caption: total === 0 ? 'Nodes without a direct path cannot connect' : 'healthy',
        isTroubled: healthy < total,
      },
    ];
  },
  attention: {
    relay_down: ({ id }) => ({ page: { to: '/nodes', search: { relay: id }, label: 'View nodes on this relay' } }),
  },
  events: {
    relay: {
      title: 'Relay events',
      // An assignment happens to a node, everything else to a relay.
      subject: (event) => (event.subject.kind === 'node' ? nameIn(event) : `Relay ${nameIn(event)}`),
      to: ({ subject }) => (subject.kind === 'node' ? `/nodes/${subject.id}` : null),
      happened: {
        'relay.created': 'was created',
        'relay.changed': 'was updated',
        'relay.deleted': 'was deleted',
        'relay.assigned': ({ to }) => (to === null ? 'no longer has a relay' : `moved to relay ${to}`),
      },
      stale: ['relays', 'nodes', 'peers', 'acls', 'overview'],
    },
  },
  sections: { relay: 'Relay', relay_server: 'Relay it runs' },
  settings: {
    relays: {
      title: 'Relays',
      description: 'When nodes move to a nearer relay, and addresses that relays may use.',
      fields: {
        move_gain_ms: {
          label: 'Least gain of a move',
          meaning: 'A node moves to a nearer relay only if that saves this much of the round trip.',
          kind: 'count',
          unit: 'ms',
        },
        move_ratio_percent: {
          label: 'Greatest round trip after a move',
          meaning: 'A node moves only if its round trip becomes at most this part of the present one.',
          kind: 'count',
          unit: '%',
        },
        allow_special_addresses: {
          label: 'Allow special relay addresses',
          meaning: 'Allow relays on loopback, link-local, multicast and metadata addresses. For labs only.',
          kind: 'switch',
          consequence: (after) => (after === true ? 'Every node sends packets to any address a relay is given.' : null),
        },
      },
    },
  },
};
