/** Drains whose deadline is long past, and that a gateway has not proven. */
import type { Attention, IngressId, NodeId } from '@meshwork/contract';
import { deadlineOn } from '../../mesh/drain-deadline.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { placeOf } from '../../mesh/whole-ingress.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';

/** Ours: gateways end what is open within seconds of the deadline, and say so with the next heartbeat. */
const STUCK_AFTER_MS = 120_000;

interface Drains {
  readonly view: View;
  readonly proofs: GatewayProofs;
  readonly now_ms: number;
}

/** Undefined: none of its gateways is stuck. */
export function stuckDrain({ id, body }: Stored<'ingress'>, drains: Drains): Attention | undefined {
  const { view } = drains;
  if (body.draining && body.drain?.drained_at != null) return undefined;
  const stuck = (view.get('placement', id)?.body.gateways ?? []).flatMap(({ node }) => {
    const found = onGateway(node, id as IngressId, drains);
    return found === undefined ? [] : [found];
  });
  const since = stuck.map(({ deadline }) => deadline).sort()[0];
  if (since === undefined) return undefined;
  return {
    kind: 'ingress_drain_stuck',
    severity: 'warning',
    subject: { kind: 'ingress', id, name: body.name },
    title: `The drain of ${placeOf(body)} is stuck`,
    detail: stuck.map(({ says }) => says).join(' '),
    since,
    fix: 'Check the agents on these gateways, or shut the gateways down.',
  };
}

function onGateway(node: NodeId, id: IngressId, { view, proofs, now_ms }: Drains) {
  const deadline = deadlineOn(view, node, id)?.at;
  if (deadline === undefined || now_ms - Date.parse(deadline) < STUCK_AFTER_MS) return undefined;
  const name = view.get('node', node)?.body.name ?? node;
  const connections = proofs.connections(node, id);
  if (!proofs.isInEffect(view, node)) return { deadline, says: `${name} has not proven that it drains.` };
  if (proofs.refuses(node, id) && connections === 0) return undefined;
  if (connections === null) return { deadline, says: `${name} does not say what is open.` };
  const open = `${connections} ${connections === 1 ? 'connection' : 'connections'}`;
  return { deadline, says: `${name} still has ${open} after the deadline.` };
}
