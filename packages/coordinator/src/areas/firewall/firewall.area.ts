/**
 * Host rules: what operators say about the hosts themselves, beside the policy. They are one list in one document, because
 * their order is half of what they mean. What a rule means, and what is wrong, odd or dangerous about one, is the
 * business of the package `policy`; here the list is kept, changed and shown. Start with `replace-rules.ts`, which every
 * change goes through; `agent-guard.ts` says whom a change would cut off.
 */
import type { AgentNeeds } from '@meshwork/policy';
import type { View } from '../../mesh/model.ts';
import { agentNeeds, NodeNeeds } from '../../node-status/agent-needs.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import type { Runtime } from '../runtime.ts';
import { createRule } from './create-rule.ts';
import { deleteRule } from './delete-rule.ts';
import { firewallSection } from './firewall-section.ts';
import { listRules } from './list-rules.ts';
import { previewRules } from './preview-rules.ts';
import { firewallSummary } from './rule-attention.ts';
import { showNode } from './show-node.ts';
import { placeOfRule, ruleRecord, storedRules } from './stored-rules.ts';
import { updateRule } from './update-rule.ts';

export const firewall: Area<'firewall'> = {
  open: ({ model }) => ({
    sections: { firewall: firewallSection(model) },
    serve: (runtime) => ({
      handlers: handlersOf(runtime, agentNeeds(runtime.api_port)),
      overview: firewallSummary,
    }),
  }),
};

/** `needs`: what rules must leave to every agent. */
function handlersOf(runtime: Runtime, needs: AgentNeeds): AreaHandlers<'firewall'> {
  const needsIn = (view: View) => new NodeNeeds(needs, view, runtime.statuses);
  return {
    'firewall.list': (call) => ({ body: listRules(runtime.mesh.model, call.query) }),
    'firewall.create': (call) => createRule(call, needsIn),
    'firewall.show': (call) => {
      const rules = storedRules(runtime.mesh.model);
      const body = ruleRecord(rules, placeOfRule(rules, call.params.id));
      return { body, revision: body.revision };
    },
    'firewall.update': (call) => updateRule(call, needsIn),
    'firewall.delete': (call) => deleteRule(call, needsIn),
    'firewall.preview': async (call) => ({ body: await previewRules(call, { runtime, needsIn }) }),
    'firewall.node': (call) => ({ body: showNode(call.params.id, { runtime, needsIn }) }),
  };
}
