/** What happened, in a few words about whom it happened to. */
import type { EventRecord, EventType } from '@meshwork/contract';

const WORDS: Readonly<Record<EventType, string>> = {
  'node.joined': 'joined',
  'node.approved': 'was approved',
  'node.retagged': 'has other tags',
  'node.left': 'was moved to another boundary',
  'node.rekeyed': 'has a new key',
  'node.reported': 'reported a change',
  'node.stale': 'is overdue',
  'node.unreachable': 'cannot be reached',
  'node.recovered': 'is heard of again',
  'node.drifted': 'is not what it should be',
  'node.drift_repaired': 'put back what somebody had changed',
  'node.rolled_back': 'rolled back a change that had cut it off',
  'node.rollback_cleared': 'applied a change again',
  'node.settled': 'is what it should be again',
  'node.draining': 'gives up its roles',
  'node.undrained': 'may have roles again',
  'node.quarantined': 'was cut off',
  'node.released': 'was released',
  'node.removed': 'was removed',
  'operation.changed': 'went on',
  'policy.changed': 'was replaced',
  'policy.grant_expired': 'has expired',
  'firewall.changed': 'were changed',
  'relay.created': 'was made a relay',
  'relay.changed': 'was changed',
  'relay.deleted': 'was deleted',
  'relay.assigned': 'has another relay',
  'route.moved': 'is reached through another node',
  'route.overlapped': 'overlaps a network of another boundary',
  'route.overlap_ended': 'no longer overlaps a network of another boundary',
  'ingress.created': 'was created',
  'ingress.changed': 'was changed',
  'ingress.deleted': 'was deleted',
  'ingress.placed': 'is served by other gateways',
  'token.created': 'was created',
  'token.rotated': 'was rotated',
  'token.revoked': 'was revoked',
  'token.expiring': 'expires within a week',
  'settings.changed': 'were changed',
};

export interface EventWords {
  /** Whom or what it happened to. */
  readonly subject: string;
  readonly happened: string;
  /** Its page. Null: it has none. */
  readonly to: string | null;
}

export function eventWords({ type, subject, data }: EventRecord): EventWords {
  const named = typeof data.name === 'string' ? data.name : subject.id;
  switch (subject.kind) {
    case 'node':
      return { subject: named, happened: WORDS[type], to: type === 'node.left' ? null : `/nodes/${subject.id}` };
    case 'operation': {
      const what = `${String(data.kind).replaceAll('_', ' ')} of ${String(data.node_name)}`;
      return {
        subject: what,
        happened: String(data.state).replaceAll('_', ' '),
        to: `/nodes/operations/${subject.id}`,
      };
    }
    case 'policy':
      return type === 'policy.grant_expired'
        ? { subject: `The grant ${String(data.grant)}`, happened: WORDS[type], to: '/access' }
        : { subject: 'The policy', happened: `${WORDS[type]}: version ${String(data.version)}`, to: '/access' };
    case 'firewall':
      return { subject: 'Host rules', happened: WORDS[type], to: '/firewall' };
    case 'settings':
      return { subject: 'Settings', happened: WORDS[type], to: '/settings' };
    case 'token':
      return { subject: `The token ${named}`, happened: WORDS[type], to: `/tokens/${subject.id}` };
    case 'relay':
    case 'route':
    case 'ingress':
      return { subject: `The ${subject.kind} ${named}`, happened: WORDS[type], to: null };
  }
}
