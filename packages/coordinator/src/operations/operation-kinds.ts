/**
 * The one table of operations on nodes: whose heartbeat proves each, what it must show, and whether it can be undone.
 */
import { type AppliedSection, NODE_OPERATION_KINDS, type NodeOperationKind } from '@meshwork/contract';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { OperationDocument } from '../kinds/operations.ts';

/** What the heartbeats of the node have shown so far. */
export interface Shown {
  readonly node: NodeDocument;
  /** Whether the node has everything up to the revision of the request. */
  readonly delivered: boolean;
  /** Whether a section is in effect at least as of the revision of the request. */
  inEffect(section: AppliedSection): boolean;
  /** `used`: the relay that the node receives by first. Undefined: it has not said. */
  readonly relay: { readonly assigned: string | null; readonly used: string | null | undefined };
  /** Whether the node still has a role for others that it was not asked to give up. */
  readonly serves: boolean;
  /** Open connections through its ingresses. Undefined: it has not said, and may have some. */
  readonly connections: number | undefined;
  /** Connections that it has ended at a deadline, of ingresses that it has not given up yet. */
  readonly cut: number;
  /** What the node answered the command with. Undefined: nothing, or nothing that could be read. */
  readonly answer: string | undefined;
}

interface KindRow {
  /** What a heartbeat must show, in words. */
  readonly waits_for: string;
  /** `peers`: what the node itself reports does not count. */
  readonly witness: 'node' | 'peers';
  proven(operation: OperationDocument, shown: Shown): boolean;
  /** What cancelling puts back, or why it cannot be cancelled. */
  readonly cancel: 'puts back' | 'until delivered' | { readonly refused: string };
}

const opposite = (text: string) => ({ refused: text });
const letGo = (why: string): Pick<KindRow, 'waits_for' | 'witness' | 'proven'> => ({
  waits_for: `every fresh peer shows that it let go of the node${why}`,
  witness: 'peers',
  proven: () => false, // not by its own heartbeat
});

export const OPERATION_KINDS: Readonly<Record<NodeOperationKind, KindRow>> = {
  enroll: {
    waits_for: 'the node sends a heartbeat with its own name and addresses in effect',
    witness: 'node',
    proven: (_, shown) => shown.inEffect('self'),
    cancel: opposite('An enrolment cannot be cancelled; remove the node instead.'),
  },
  approve: {
    waits_for: 'the node shows its peers, and what is allowed with them, in effect',
    witness: 'node',
    proven: (_, shown) => isPlaced(shown),
    cancel: opposite('An approval cannot be cancelled; quarantine or remove the node instead.'),
  },
  rekey: {
    waits_for: 'the node reports a WireGuard key other than the old one',
    witness: 'node',
    proven: ({ before }, { node }) => node.wireguard_key !== before.wireguard_key,
    cancel: 'until delivered',
  },
  retag: {
    waits_for: 'the node shows its new tags in effect, and the peers, grants and host rules that follow from them',
    witness: 'node',
    proven: (_, shown) => isPlaced(shown) && shown.inEffect('firewall'),
    cancel: 'puts back',
  },
  move_relay: {
    waits_for: 'the node reports that it receives through the relay',
    witness: 'node',
    proven: ({ detail }, { delivered, relay }) =>
      delivered && relay.used === relay.assigned && (detail.relay === null || relay.used === detail.relay),
    cancel: 'puts back',
  },
  approve_routes: {
    waits_for: 'the node shows the networks it may forward to in effect',
    witness: 'node',
    proven: (_, shown) => shown.delivered && shown.inEffect('self'),
    cancel: 'puts back',
  },
  drain: {
    waits_for: 'the node has no role left and reports no connection through any ingress',
    witness: 'node',
    proven: (_, shown) => shown.delivered && !shown.serves && shown.inEffect('ingress') && shown.connections === 0,
    cancel: 'puts back',
  },
  undrain: {
    waits_for: 'the node shows that it may have roles again',
    witness: 'node',
    proven: (_, shown) => shown.delivered && shown.inEffect('self'),
    cancel: opposite('It cannot be cancelled; drain the node again instead.'),
  },
  quarantine: {
    ...letGo('; what a node in quarantine reports does not count'),
    cancel: opposite('A quarantine cannot be cancelled; release the node instead.'),
  },
  release: {
    waits_for: 'the node shows its peers, and what is allowed with them, in effect',
    witness: 'node',
    proven: (_, shown) => shown.delivered && isPlaced(shown),
    cancel: opposite('A release cannot be cancelled; quarantine the node again instead.'),
  },
  remove: {
    ...letGo(''),
    cancel: opposite('A removal cannot be cancelled; enrol the node anew instead.'),
  },
  diagnose: {
    waits_for: 'the node answers with what it found',
    witness: 'node',
    proven: (_, { answer }) => answer !== undefined,
    cancel: 'puts back', // of which there is nothing
  },
};

/** Whether the node is what it should be in the eyes of the policy. */
function isPlaced({ inEffect }: Shown): boolean {
  return inEffect('self') && inEffect('peers') && inEffect('acl');
}

/** Cutting a node off makes the rest pointless, but not the question how it stands: less than ever. */
const ALL_BUT_DIAGNOSE = NODE_OPERATION_KINDS.filter((kind) => kind !== 'diagnose');

/** What an operation makes pointless: its opposite, and for cutting a node off or removing it everything else. */
export function overriddenBy(kind: NodeOperationKind): readonly NodeOperationKind[] {
  switch (kind) {
    case 'quarantine':
      return ALL_BUT_DIAGNOSE;
    case 'remove':
      return NODE_OPERATION_KINDS;
    case 'release':
      return ['quarantine'];
    case 'drain':
      return ['undrain'];
    case 'undrain':
      return ['drain'];
    default:
      return [];
  }
}
