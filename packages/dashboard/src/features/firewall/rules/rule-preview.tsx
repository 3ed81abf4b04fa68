import { Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FirewallRule } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { plural } from '../../../ui/plural.ts';
import { saidOfError } from '../../../ui/said-of-error.ts';
import { Findings } from './findings.tsx';
import { asNew, type RuleForm, ruleOf } from './rule-form.ts';
import { ruleWords } from './rule-words.ts';

interface RulePreviewProps {
  readonly form: RuleForm;
  readonly rules: readonly FirewallRule[];
  /** Where it would stand. */
  readonly place: number;
  readonly isNew: boolean;
}

const PAUSE_MS = 350;

/** What the list would mean with the rule as the form has it. */
export function RulePreview({ form, rules, place, isNew }: RulePreviewProps) {
  const others = rules.map(asNew);
  const list = others.toSpliced(place, isNew ? 0 : 1, ruleOf(form));
  const [asked] = useDebouncedValue(JSON.stringify(list), PAUSE_MS);
  const body = { rules: JSON.parse(asked) as typeof list };
  const query = useRead('firewall.preview', { body }, { enabled: form.nodes.length > 0, keep: true });
  const preview = query.data?.body;
  const own = preview?.findings.filter(({ rule, by }) => [rule, by].includes(`rule-${place}`)) ?? [];
  return (
    <Paper withBorder p="sm" role="status">
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {form.action === 'drop' ? 'Drops' : form.action === 'log' ? 'Logs' : 'Accepts'}: {ruleWords(ruleOf(form))}
          </Text>
          {query.isFetching && <Loader size="xs" aria-label="Loading preview" />}
        </Group>
        {form.nodes.length === 0 ? (
          <Text size="sm" c="dimmed">
            Choose the nodes that it applies to.
          </Text>
        ) : query.error === null ? (
          <Text size="sm" c="dimmed">
            {preview === undefined ? '' : touched(preview.nodes_touched)}
          </Text>
        ) : (
          <Text size="sm">{wordsOf(query.error)}</Text>
        )}
        {query.error === null && <Findings findings={own} order={[]} />}
      </Stack>
    </Paper>
  );
}

function touched(count: number): string {
  return count === 0 ? 'No node would change.' : `${plural(count, 'node')} would change.`;
}

/** What is wrong with it, without saying where in the request that was. */
function wordsOf(error: unknown): string {
  const { detail, errors } = saidOfError(error);
  return errors.length === 0 ? detail : errors.map((one) => one.detail).join(' ');
}
