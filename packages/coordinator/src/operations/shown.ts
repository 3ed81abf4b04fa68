import { type AppliedSection, type CommandResult, isPeerSection, type NodeId } from '@meshwork/contract';
import type { OperationDocument } from '../kinds/operations.ts';
import { carries } from '../mesh/abilities.ts';
import type { IdIndex } from '../mesh/id-index.ts';
import type { Stored, View } from '../mesh/model.ts';
import type { NodeStatus } from '../node-status/node-status.ts';
import type { NodeStatuses } from '../node-status/node-statuses.ts';
import { differenceOf } from '../views/difference.ts';
import type { NodeViews } from '../views/node-views.ts';
import type { Shown } from './operation-kinds.ts';
import { answerIn } from './operation-results.ts';

interface Sources {
  readonly view: View;
  readonly views: NodeViews;
  readonly served: IdIndex;
  readonly statuses: NodeStatuses;
}

/** What the newest heartbeat says: what the agent holds, and how the command of the operation ended. */
interface Said {
  readonly held: number;
  readonly result: CommandResult | undefined;
}

/** What the heartbeats of a node have shown with regard to one operation. */
export function shownBy(
  { view, views, served, statuses }: Sources,
  node: Stored<'node'>,
  operation: OperationDocument,
  { held, result }: Said,
): Shown {
  const id = node.id as NodeId;
  const status = statuses.of(id);
  const revision = operation.requested_revision;
  return {
    node: node.body,
    delivered: held >= revision,
    // What the agent cannot carry is not asked of it, so nothing is missing.
    inEffect: (section) => !carries(view, id, section) || isInEffect(views, id, status, section, revision),
    relay: { assigned: view.get('assignment', id)?.body.relay ?? null, used: relayUsed(view, id, status) },
    serves: servesOthers(view, served, id),
    connections: openConnections(status, served.of(id).size),
    cut: [...served.of(id)].reduce((sum, ingress) => sum + statuses.ended(id, ingress).cut, 0),
    answer: answerIn(result),
  };
}

/** The relay that it receives by first. An agent of an older version reports no places at relays, only which one it reaches. */
function relayUsed(view: View, id: NodeId, { observed }: NodeStatus): string | null | undefined {
  const relayed = view.get('report', id)?.body.relayed;
  return relayed === undefined ? observed.relay : (relayed[0]?.relay ?? null);
}

/**
 * Whether a section is in effect at least as of a revision. What is in effect is known by its digest, whatever revision
 * brought it. Only peers and their terms may change faster than a node can say what it has: those of a revision that a newer one has
 * overtaken, so that there is nothing to hold them against, are believed.
 */
export function isInEffect(
  views: NodeViews,
  node: NodeId,
  status: NodeStatus,
  section: AppliedSection,
  revision: number,
): boolean {
  const applied = status.applied[section];
  if (applied === undefined || applied.error !== undefined) return false;
  const desired = views.desired(node, section);
  if (differenceOf(desired, applied) === null) return true;
  return isPeerSection(section) && applied.revision >= revision && applied.revision < desired.revision;
}

function servesOthers(view: View, served: IdIndex, node: NodeId): boolean {
  for (const ingress of served.of(node)) {
    const place = view.get('placement', ingress)?.body.gateways.find((gateway) => gateway.node === node);
    if (place?.draining === false) return true;
  }
  return false;
}

function openConnections(status: NodeStatus, served: number): number | undefined {
  const { ingress } = status.observed;
  if (ingress === undefined) return served === 0 ? 0 : undefined;
  if (ingress.some(({ refuses }) => refuses !== true)) return undefined; // more may come
  return ingress.reduce((sum, { connections }) => sum + connections, 0);
}
