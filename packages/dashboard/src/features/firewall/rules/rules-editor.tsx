import { Stack } from '@mantine/core';
import type { FirewallFinding, FirewallRule } from '@meshwork/contract';
import { useEffect, useMemo, useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { nextMoves } from './next-moves.ts';
import { OrderBar } from './order-bar.tsx';
import type { EditedRule } from './rule-dialog.tsx';
import { asNew } from './rule-form.ts';
import { RuleList } from './rule-list.tsx';
import type { RowChange } from './rule-menu.tsx';
import { inStagedOrder, isSameOrder } from './staged-order.ts';
import { useRuleChanges } from './use-rule-changes.ts';
import { useSaveOrder } from './use-save-order.ts';

interface RulesEditorProps {
  readonly rules: readonly FirewallRule[];
  readonly readOnly: boolean;
  readonly marked: string | undefined;
  readonly onEdit: (edited: EditedRule) => void;
}

const idsOf = (some: readonly { readonly id: string }[]) => some.map(({ id }) => id);

/** The rules, the findings about them, and an order that is arranged first and then saved. */
export function RulesEditor({ rules, readOnly, marked, onEdit }: RulesEditorProps) {
  const [staged, setStaged] = useState<readonly string[] | null>(null);
  const arranged = inStagedOrder(rules, staged);
  const isArranged = !isSameOrder(arranged, rules);
  const preview = useRead('firewall.preview', { body: { rules: arranged.map(asNew) } }, { keep: true });
  // What was found about another order says nothing about this one.
  const found = preview.isPlaceholderData ? undefined : preview.data?.body;
  const findings = useMemo(() => findingsByPlace(found?.findings ?? []), [found]);
  const moves = isArranged ? nextMoves(idsOf(rules), idsOf(arranged)) : [];
  const saveOrder = useSaveOrder(rules);
  const changeRule = useRuleChanges(rules);
  useEffect(() => {
    if (marked !== undefined) document.getElementById(marked)?.scrollIntoView({ block: 'center' });
  }, [marked]);
  const change = (rule: FirewallRule, wanted: RowChange) => {
    if (wanted.kind === 'edit' || wanted.kind === 'copy') onEdit({ kind: wanted.kind, rule });
    else if (wanted.kind === 'enable') void changeRule.enable(rule, wanted.enabled);
    else if (wanted.kind === 'delete') void changeRule.remove(rule);
  };
  return (
    <Stack gap="sm">
      {preview.error !== null && <ProblemNotice error={preview.error} onRetry={() => void preview.refetch()} />}
      <RuleList
        rules={arranged}
        findings={findings}
        moved={new Set(idsOf(moves))}
        readOnly={readOnly}
        marked={marked}
        onArrange={setStaged}
        onChange={change}
      />
      {isArranged && (
        <OrderBar
          preview={found}
          isRunning={saveOrder.isRunning}
          onPutBack={() => setStaged(null)}
          onSave={() =>
            void saveOrder.save(idsOf(arranged)).then((done) => {
              if (done) setStaged(null);
            })
          }
        />
      )}
    </Stack>
  );
}

/** By the place of the rule in the list that was previewed. */
function findingsByPlace(findings: readonly FirewallFinding[]): ReadonlyMap<number, readonly FirewallFinding[]> {
  return Map.groupBy(findings, ({ rule }) => Number(/^rule-(\d+)$/.exec(rule)?.[1] ?? -1));
}
