import { LabError } from '../lab-error.ts';
import { type LabPlan, plannedNode } from './lab-plan.ts';
import { INTERNET } from './lab-spec.ts';
import { locate } from './location.ts';
import { checkHoldsNodes } from './site-plan.ts';

/** The plan after a node has moved to a site, or to `internet`, outside of all sites. */
export function movedPlan(plan: LabPlan, name: string, to: string): LabPlan {
  const node = plannedNode(plan, name);
  const sites = plan.sites.filter((site) => !plan.nodes.some((each) => each.name === site.name));
  if (node.site === name) {
    throw new LabError('usage', `${name} has a router of its own, and stays behind it`);
  }
  const site = sites.find((each) => each.name === to) ?? null;
  if (site === null && (to !== INTERNET || sites.length === 0)) {
    const places =
      sites.length === 0 ? 'it has none' : `there are ${[...sites.map((each) => each.name), INTERNET].join(', ')}`;
    throw new LabError('not_found', `there is no site "${to}" in the lab "${plan.name}"; ${places}`);
  }
  checkHoldsNodes(to, sites);
  const moved = { ...node, ...locate(node.index, site, plan.underlay) };
  return { ...plan, nodes: plan.nodes.map((each) => (each === node ? moved : each)) };
}
