import { scriptedCoordinator } from '@meshwork/agent/testing';
import type { HeartbeatReply } from '@meshwork/contract';

const TOLD: HeartbeatReply = {
  revision: 1,
  next_s: 0,
  self: {
    name: 'a',
    address: '100.64.0.1/32',
    address6: 'fd::1/128',
    networks: ['100.64.0.0/10', 'fd::/64'],
    tags: [],
    state: 'active',
    routes: [],
  },
  peers: { full: [] },
  acl: { full: [] },
  firewall: [],
  relay: null,
  ingress: [],
};

/** Tells every node that it is active, and then lets it wait. */
export function fleetCoordinator() {
  return scriptedCoordinator({ heartbeat: ({ body }) => (body.revision === 0 ? TOLD : 'hold') });
}
