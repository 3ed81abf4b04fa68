import type { HeartbeatReply, WholeSection } from '@meshwork/contract';
import type { HeldView } from './held-view.ts';

/**
 * All that is held, as one answer to a heartbeat that held nothing. An agent that starts with it goes on where the last
 * one stopped, and receives only what has changed since. Undefined: nothing has been received yet.
 *
 * Commands are part of it: the coordinator lists them when they change, so one that was being done would be lost.
 */
export function snapshotOf(view: HeldView): HeartbeatReply | undefined {
  const { revision, sections, peers, acl } = view;
  if (sections.self === undefined) return undefined;
  return {
    revision,
    next_s: 0,
    ...(sections as Pick<HeartbeatReply, WholeSection>),
    peers: { full: [...peers.all()] },
    acl: { full: [...acl.all()] },
  };
}
