import type { NodeId } from '@meshwork/contract';
import type { PlacementDocument } from '../../kinds/ingress.ts';

export type Gateway = PlacementDocument['gateways'][number];

/**
 * `fit`: may serve the ingress. `leaving`: may not any more, but can finish what it has. `gone`: it cannot be relied on,
 * or must not serve it for a moment longer.
 */
export type Fitness = 'fit' | 'leaving' | 'gone';

export interface Candidate {
  readonly node: NodeId;
  readonly name: string;
  /** How many ingresses it serves now. */
  readonly ingresses: number;
}

interface GatewaySeeker {
  readonly replicas: number;
  /** Whether the ingress as a whole takes no new connections. */
  readonly draining: boolean;
  readonly present: readonly Gateway[];
  fitness(node: NodeId): Fitness;
  /** Whether it proves that it takes no new connection and has none left. */
  isDrained(node: NodeId): boolean;
  /** Every fit node. Asked only when there are too few, as there may be many. */
  candidates(): Iterable<Candidate>;
}

/**
 * The gateways of one ingress. Those that serve it and are fit go on; the rest of the places go to those with the fewest
 * ingresses. One that has to leave stays, draining, until it has no connection left.
 */
export function chooseGateways(seeker: GatewaySeeker): readonly Gateway[] {
  const staying = seeker.present.filter(({ node }) => seeker.fitness(node) !== 'gone');
  const fit = staying.filter(({ node }) => seeker.fitness(node) === 'fit');
  if (seeker.draining) {
    const kept = staying.filter((gateway) => fit.includes(gateway) || !isEmptied(seeker, gateway));
    return kept.map(({ node }) => ({ node, draining: true }));
  }
  // One that was draining may serve again, if no other has taken its place meanwhile.
  const byMerit = [...fit.filter(({ draining }) => !draining), ...fit.filter(({ draining }) => draining)];
  const serving = new Set(byMerit.slice(0, seeker.replicas));
  const kept = staying.filter((gateway) => serving.has(gateway) || !isEmptied(seeker, gateway));
  return [
    ...kept.map((gateway) => ({ node: gateway.node, draining: !serving.has(gateway) })),
    ...newcomers(seeker, seeker.replicas - serving.size),
  ];
}

function isEmptied(seeker: GatewaySeeker, { node, draining }: Gateway): boolean {
  return draining && seeker.isDrained(node);
}

function newcomers(seeker: GatewaySeeker, count: number): Gateway[] {
  if (count <= 0) return [];
  const known = new Set(seeker.present.map(({ node }) => node));
  return [...seeker.candidates()]
    .filter(({ node }) => !known.has(node))
    .sort((a, b) => a.ingresses - b.ingresses || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ node }) => ({ node, draining: false }));
}
