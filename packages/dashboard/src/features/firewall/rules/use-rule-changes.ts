import type { FirewallRule } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useConfirm } from '../../../ui/confirm.tsx';
import { notify } from '../../../ui/notify.tsx';
import { ruleWords } from './rule-words.ts';
import { useCutOffGuard } from './use-cut-off-guard.tsx';

const TOUCHES = ['nodes', 'acls'];
const AFTERWARDS: Readonly<Record<FirewallRule['action'], string>> = {
  accept: 'Traffic that it accepted is evaluated by later rules.',
  drop: 'Traffic that it dropped is allowed again, unless a later rule drops it.',
  log: 'Connections are no longer logged. No traffic is affected.',
};

/** A rule has its own revision: a change is refused when another person changed the same one first. */
export function etagOf({ revision }: FirewallRule): string {
  return `"${revision}"`;
}

/** What can be done to one rule without a form. */
export function useRuleChanges(rules: readonly FirewallRule[]) {
  const confirm = useConfirm();
  const guard = useCutOffGuard(rules.map(({ id }) => id));
  const update = useAction('firewall.update', { quiet: true, touches: TOUCHES });
  const remove = useAction('firewall.delete', { quiet: true, touches: TOUCHES });
  const tell = async (run: Parameters<typeof guard>[0], done: string) => {
    try {
      if (await guard(run)) notify.done(done);
    } catch (error) {
      notify.failed(error);
    }
  };
  return {
    enable: (rule: FirewallRule, enabled: boolean) =>
      tell(
        (force) =>
          update.run({
            params: { id: rule.id },
            body: { enabled, ...(force ? { force } : {}) },
            if_match: etagOf(rule),
          }),
        `Rule ${rule.position + 1} is ${enabled ? 'enabled' : 'disabled'}`,
      ),
    remove: async (rule: FirewallRule) => {
      const yes = await confirm({
        title: `Delete rule ${rule.position + 1}?`,
        consequence: `${ruleWords(rule)}, on ${rule.nodes.join(', ')}. ${AFTERWARDS[rule.action]}`,
        action: 'Delete',
        danger: true,
      });
      if (!yes) return;
      await tell(
        (force) => remove.run({ params: { id: rule.id }, query: force ? { force } : {}, if_match: etagOf(rule) }),
        `Rule ${rule.position + 1} deleted`,
      );
    },
  };
}
