import type { FirewallSection } from '@meshwork/contract';
import { firewallSectionShape } from '@meshwork/contract/answers';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import { choosePart, type Guarded, type GuardedPart, type PartGuard } from '../../rollback/guarded-part.ts';
import type { HeldView } from '../../view/held-view.ts';

export type Rules = Readonly<FirewallSection>;

/**
 * Host rules about what the node sends outside of the mesh. Answers pass before rules are asked, so those about what
 * comes in have no say in whether a coordinator is reached.
 */
export const EGRESS_PART: GuardedPart<Rules> = {
  name: 'egress',
  section: 'firewall',
  none: [],
  shape: firewallSectionShape,
};

export function guardedRules(view: HeldView, guard: PartGuard): Guarded<Rules> {
  const rules = view.sections.firewall ?? [];
  const wanted = rules.filter(concernsUnderlay);
  const egress = choosePart(guard, view, EGRESS_PART, wanted);
  return { plan: egress.value === wanted ? rules : withEgress(rules, egress.value), parts: [egress] };
}

/** A rule that only logs, or that is about the mesh or ICMP, has no say in whether a coordinator is reached. */
function concernsUnderlay({ direction, interface: name, action, protocol }: Rules[number]): boolean {
  return direction === 'out' && action !== 'log' && protocol !== 'icmp' && name !== 'mesh' && name !== MESH_INTERFACE;
}

/** The wanted rules with other ones about the underlay. Those about the mesh come first: they are in effect in any case. */
function withEgress(rules: Rules, egress: Rules): Rules {
  return [...rules.filter((rule) => !concernsUnderlay(rule)), ...egress];
}
