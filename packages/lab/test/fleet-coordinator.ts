import { LONE_NODE_REPLY, scriptedCoordinator } from '@meshwork/agent/testing';

/** Tells every node that it is active, and then lets it wait. */
export function fleetCoordinator() {
  return scriptedCoordinator({ heartbeat: ({ body }) => (body.revision === 0 ? LONE_NODE_REPLY : 'hold') });
}
