import { Badge as Count, Group, Loader, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconTestPipe } from '@tabler/icons-react';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './check-panel.module.css';
import type { PolicyFault } from './editor/diagnostics.ts';
import { Warnings } from './review/warnings.tsx';
import { nodeAt } from './text/tree.ts';
import type { Checked } from './use-validation.ts';

interface CheckPanelProps {
  readonly text: string;
  readonly checked: Checked;
  readonly onGo: (fault: PolicyFault) => void;
}

/** What is wrong with the text, and whether its tests hold. A click goes there. */
export function CheckPanel({ text, checked, onGo }: CheckPanelProps) {
  const problems = checked.faults.filter(({ is_test }) => !is_test);
  const failed = checked.faults.filter(({ is_test }) => is_test);
  return (
    <Stack gap="md" aria-live="polite">
      {checked.error !== null && <ProblemNotice error={checked.error} onRetry={checked.again} />}
      <Section title="Problems" actions={<Standing checked={checked} count={problems.length} />}>
        <Faults faults={problems} none="No problems." is_known={checked.is_valid !== undefined} onGo={onGo} />
      </Section>
      {checked.warnings.length > 0 && <Warnings warnings={checked.warnings} />}
      <Section title="Tests" description={testsText(text)}>
        {problems.length > 0 ? (
          <Text size="sm" c="dimmed">
            Tests run once there are no problems.
          </Text>
        ) : (
          <Faults faults={failed} none="All tests pass." is_known={checked.is_valid !== undefined} onGo={onGo} />
        )}
      </Section>
    </Stack>
  );
}

function Standing({ checked, count }: { readonly checked: Checked; readonly count: number }) {
  if (checked.is_checking && checked.error === null) return <Loader size="xs" aria-label="Checking" />;
  return count === 0 ? null : (
    <Count color="red" variant="filled">
      {count}
    </Count>
  );
}

function testsText(text: string): string {
  const tests = nodeAt(text, ['tests']);
  const count = tests?.type === 'array' ? (tests.children?.length ?? 0) : 0;
  return count === 0 ? 'No tests yet. Tests keep later changes from breaking access.' : plural(count, 'test');
}

interface FaultsProps {
  readonly faults: readonly PolicyFault[];
  readonly none: string;
  readonly is_known: boolean;
  readonly onGo: (fault: PolicyFault) => void;
}

function Faults({ faults, none, is_known, onGo }: FaultsProps) {
  if (faults.length === 0) {
    return is_known ? (
      <Group gap={6} wrap="nowrap" align="flex-start">
        <IconCircleCheck size={18} className={classes.good} aria-hidden />
        <Text size="sm">{none}</Text>
      </Group>
    ) : null;
  }
  return (
    <ul className={classes.faults}>
      {faults.map((fault) => {
        const Shown = fault.is_test ? IconTestPipe : IconAlertCircle;
        return (
          <li key={`${fault.from} ${fault.detail}`}>
            <UnstyledButton className={classes.fault} onClick={() => onGo(fault)}>
              <Shown size={16} className={classes.bad} aria-hidden />
              <span className={classes.detail}>
                {fault.detail}{' '}
                <span className={classes.place}>
                  Line {fault.line}, column {fault.column}
                </span>
              </span>
            </UnstyledButton>
          </li>
        );
      })}
    </ul>
  );
}
