import type { Attention } from '@meshwork/contract';
import { isMember, stateSince } from '../../mesh/node-state.ts';
import { healthOf, isHealthy } from '../../node-status/relay-health.ts';
import type { RelayProofs } from '../../node-status/relay-proofs.ts';
import type { Facts, Figures, Summarizes } from '../summary.ts';

/** A new relay is measured within two looks of the agents, which are 30 s apart, and a heartbeat. */
const MEASURED_WITHIN_MS = 90_000;

export function relaySummary(proofs: RelayProofs): Summarizes {
  return {
    permitted_by: 'relays.list',
    summarize: (facts) => ({
      figures: { relays: countRelays(facts, proofs) },
      attention: relaysDown(facts, proofs),
    }),
  };
}

function countRelays({ model }: Facts, proofs: RelayProofs): Figures['relays'] {
  const healthy = [...model.all('relay')].filter((relay) => isHealthy(model, relay, proofs)).length;
  return { total: model.count('relay'), healthy };
}

/** Relays that are not proven to work. A draining one is meant to be without work. */
function* relaysDown({ model, now_ms }: Facts, proofs: RelayProofs): Generator<Attention> {
  for (const relay of model.all('relay')) {
    const { id: name, body } = relay;
    if (body.draining || isHealthy(model, relay, proofs)) continue;
    const node = body.node === null ? undefined : model.get('node', body.node);
    const isUp = node !== undefined && isMember(node.body) && model.get('liveness', node.id) === undefined;
    const isNodeUp = isUp || body.node === null;
    if (isNodeUp && now_ms - Date.parse(body.created_at) < MEASURED_WITHIN_MS) continue;
    yield {
      kind: 'relay_down',
      severity: 'critical',
      subject: { kind: 'relay', id: name, name },
      title: `Relay ${name} is down`,
      detail: healthOf(model, relay, proofs),
      since: node === undefined || isNodeUp ? null : stateSince(model, node),
      fix: isNodeUp
        ? `Check that port ${body.port} of ${body.host} is open for UDP and TCP, or delete the relay.`
        : 'Bring its node back online, move the relay to another node, or delete it.',
    };
  }
}
