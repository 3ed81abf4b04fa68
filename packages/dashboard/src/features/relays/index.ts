/**
 * Relays carry traffic between nodes that cannot reach each other directly: the list and the page of one, adding and changing
 * them (`edit/`), and who uses which and why (`use/`). Start with `relays-page.tsx`, then `relay-page.tsx`.
 */
import { IconAccessPoint } from '@tabler/icons-react';
import { nameIn } from '../../feature/event-words.ts';
import type { Feature } from '../../feature/feature.ts';

export const feature: Feature = {
  id: 'relays',
  title: 'Relays',
  navigation: { group: 'Mesh', icon: IconAccessPoint },
  permission: 'relays:read',
  pages: [
    { path: '/relays', load: () => import('./relays-page.tsx') },
    { path: '/relays/$name', load: () => import('./relay-page.tsx') },
  ],
  figures: ({ relays }) => {
    if (relays === null) return [];
    const { total, healthy } = relays;
    return [
      {
        title: 'Relays',
        value: total === 0 ? 'None' : `${healthy} of ${total}`,
        caption: total === 0 ? 'Nodes without a direct path cannot connect' : 'healthy',
        link: { to: '/relays', label: 'View relays' },
        isTroubled: healthy < total,
      },
    ];
  },
  attention: {
    relay_down: ({ id }) => ({ page: { to: `/relays/${id}`, label: 'Open relay' } }),
  },
  events: {
    relay: {
      title: 'Relay events',
      // An assignment happens to a node, everything else to a relay.
      subject: (event) => (event.subject.kind === 'node' ? nameIn(event) : `Relay ${nameIn(event)}`),
      to: ({ type, subject }) => {
        if (subject.kind === 'node') return `/nodes/${subject.id}`;
        return type === 'relay.deleted' ? '/relays' : `/relays/${subject.id}`;
      },
      happened: {
        'relay.created': 'was created',
        'relay.changed': 'was updated',
        'relay.deleted': 'was deleted',
        'relay.assigned': ({ to }) => (to === null ? 'no longer has a relay' : `moved to relay ${to}`),
      },
      stale: ['relays', 'nodes', 'peers', 'acls', 'overview'],
    },
  },
  audit: { targets: { relay: (id) => `/relays/${id}` } },
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
