import type { LabPlan, PlannedNode } from '../plan/lab-plan.ts';
import { nodeCable, nodeLines } from './attach.ts';
import { ip } from './in-namespace.ts';
import { runProgram } from './run.ts';

/**
 * Plugs a node in where the plan says that it is now. Its interface vanishes with its addresses and routes, and another one
 * appears. What was interrupted halfway is finished by moving once more.
 */
export async function moveNode(plan: LabPlan, node: PlannedNode): Promise<void> {
  const links = await runProgram('ip', ['-n', node.namespace, '-json', 'link', 'show']);
  const isPluggedIn = (JSON.parse(links) as { readonly ifname: string }[]).some(({ ifname }) => ifname === 'eth0');
  if (isPluggedIn) await ip(node.namespace, ['link del eth0']);
  const { at, lines } = nodeCable(plan, node);
  await ip(at, lines);
  await ip(node.namespace, nodeLines(plan, node));
}
