import { hostRulesFor, nodeRules } from '../../mesh/host-rules.ts';
import type { View } from '../../mesh/model.ts';
import type { SectionSource } from '../../views/section-source.ts';

/** The host rules of a node, also of one that is cut off: what its host must not do is not lifted by that. */
export function firewallSection(view: View): SectionSource<'firewall'> {
  return {
    shared: true, // most nodes have the same rules, which are one object then
    content: (node) => nodeRules(hostRulesFor(view, node.body)),
    touchedBy: {
      node: ({ id }, touch) => touch.node(id),
      firewall: (_, touch) => touch.allNodes(),
    },
  };
}
