import { covers, MAX_ROTATION_NODES, type NodeId, type Rotation, type Scope } from '@meshwork/contract';
import { certificateState } from '../../issuing/certificate-state.ts';
import type { RotationDocument } from '../../kinds/ca.ts';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { certificatesOf, ROTATION_ID } from '../../mesh/node-certificates.ts';
import { boundaryOfNode, isFresh, isMember } from '../../mesh/node-state.ts';
import { isCurrent } from './certificate-record.ts';

interface Trusting {
  readonly node: Stored<'node'>;
  /** Whether its heartbeats come. Others are not waited for. */
  readonly is_fresh: boolean;
  /** Whether it has proven that it trusts the new authorities. */
  readonly is_proven: boolean;
}

/** Every member whose agent keeps what others are checked against. */
export function* trustingNodes(view: View, { to }: RotationDocument): Generator<Trusting> {
  const newest = to.at(-1);
  for (const node of view.all('node')) {
    if (!isMember(node.body) || !carries(view, node.id, 'trust')) continue;
    const is_proven = certificatesOf(view, node.id).trusts === newest;
    yield { node, is_proven, is_fresh: isFresh(view, node.id) };
  }
}

/** Certificates of the old authorities that are in use: valid, and nothing took their place. */
export function* certificatesInUse(
  view: View,
  { from }: RotationDocument,
  now_ms: number,
): Generator<Stored<'certificate'>> {
  const old = new Set<string>(from);
  for (const certificate of view.all('certificate')) {
    const { body } = certificate;
    if (!old.has(body.issuer) || certificateState(view, body, now_ms) !== 'valid') continue;
    if (isCurrent(view, certificate)) yield certificate;
  }
}

/** Counts all nodes, and names those that the caller may know of. */
export function rotationRecord(view: View, { scope, now_ms }: { scope: Scope; now_ms: number }): Rotation | null {
  const stored = view.get('rotation', ROTATION_ID)?.body;
  if (stored === undefined) return null;
  const nodes = [...trustingNodes(view, stored)];
  const fresh = nodes.filter(({ is_fresh }) => is_fresh);
  const waiting = fresh.filter(({ is_proven }) => !is_proven);
  const absent = nodes.filter(({ is_fresh, is_proven }) => !is_fresh && !is_proven);
  const { what, from, to, started_at, started_by, deadline, not_before = null, switched_at } = stored;
  return {
    what,
    state: switched_at === null ? 'publishing' : 'retiring',
    from: [...from],
    to: [...to],
    started_at,
    started_by,
    deadline,
    not_before,
    switched_at,
    nodes: {
      fresh: fresh.length,
      proven: fresh.length - waiting.length,
      absent: absent.length,
      renewing: [...certificatesInUse(view, stored, now_ms)].length,
    },
    waiting: named(waiting, scope),
    absent: named(absent, scope),
  };
}

function named(nodes: readonly Trusting[], scope: Scope): Rotation['waiting'] {
  const known = nodes.filter(({ node }) => covers(scope, boundaryOfNode(node.body)));
  return known.slice(0, MAX_ROTATION_NODES).map(({ node: { id, body } }) => ({ id: id as NodeId, name: body.name }));
}
