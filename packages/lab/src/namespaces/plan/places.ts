import { LabError } from '../lab-error.ts';
import type { LabPlan } from './lab-plan.ts';

/** Somewhere in a lab that a program can run: a node, the host of a subnet, a router, or the switch. */
export interface PlannedPlace {
  readonly name: string;
  readonly namespace: string;
  readonly kind: 'node' | 'host' | 'router' | 'net';
}

function placesOf({ net, nodes, subnets, sites }: LabPlan): PlannedPlace[] {
  return [
    { name: 'net', namespace: net, kind: 'net' },
    ...nodes.map(({ name, namespace }) => ({ name, namespace, kind: 'node' as const })),
    ...sites.map(({ name, namespace }) => ({ name: `nat-${name}`, namespace, kind: 'router' as const })),
    ...subnets.map(({ host: { name, namespace } }) => ({ name, namespace, kind: 'host' as const })),
  ];
}

export function namespacesOf(plan: LabPlan): string[] {
  return placesOf(plan).map(({ namespace }) => namespace);
}

export function plannedPlace(plan: LabPlan, name: string): PlannedPlace {
  const places = placesOf(plan);
  const place = places.find((candidate) => candidate.name === name);
  if (place !== undefined) return place;
  const names = places.map((each) => each.name).join(', ');
  throw new LabError('not_found', `there is no "${name}" in the lab "${plan.name}"; there are ${names}`);
}
