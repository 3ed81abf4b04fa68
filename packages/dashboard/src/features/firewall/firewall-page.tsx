import { Button } from '@mantine/core';
import { IconPlus, IconWall } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useList } from '../../api/queries.ts';
import { May, useMay } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { NodePicker } from './node-picker.tsx';
import { type EditedRule, RuleDialog } from './rules/rule-dialog.tsx';
import { RulesEditor } from './rules/rules-editor.tsx';

const SUBTITLE =
  'What hosts accept, send and forward. The first matching rule decides; traffic through the mesh needs a grant as well.';

export default function FirewallPage() {
  const list = useList('firewall.list');
  const may = useMay();
  const [{ rule: marked }] = useFilters(['rule']);
  const [edited, setEdited] = useState<EditedRule | null>(null);
  const { items, hasMore, isLoadingMore, more, isLoading, error, again } = list;
  // Their order is half of what they mean, so all of them are needed. There are 500 at most.
  useEffect(() => {
    if (hasMore && !isLoadingMore) more();
  }, [hasMore, isLoadingMore, more]);
  const isComplete = !isLoading && !hasMore && error === null;
  return (
    <Page
      title="Firewall"
      subtitle={SUBTITLE}
      actions={
        <May permission="firewall:write">
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            disabled={!isComplete}
            onClick={() => setEdited({ kind: 'new' })}
          >
            New rule
          </Button>
        </May>
      }
    >
      <NodePicker />
      {error !== null && <ProblemNotice error={error} onRetry={again} />}
      {isComplete && items.length === 0 && <NoRules />}
      {items.length > 0 && (
        <RulesEditor
          rules={items}
          readOnly={!may('firewall:write') || !isComplete}
          marked={marked}
          onEdit={setEdited}
        />
      )}
      {edited !== null && <RuleDialog edited={edited} rules={items} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function NoRules() {
  return (
    <EmptyState
      icon={IconWall}
      title="No host rules"
      command="mesh firewall create --node tag:role:git --direction in --protocol tcp --port 22 --from 198.51.100.0/24 --action accept"
    >
      Only traffic through the mesh is filtered, by the policy. A host rule can close a port on selected hosts, limit
      the rate of new connections, or log them.
    </EmptyState>
  );
}
