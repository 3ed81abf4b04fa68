import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ProbeReport } from '@meshwork/contract';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { PATH_WORDS } from '../../mesh/link-paths.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Ago } from '../../ui/moment.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Reality } from '../../ui/state.tsx';
import classes from './attempt.module.css';
import { arrivalText, attemptText, comparison } from './attempt-words.ts';
import type { Question } from './question.ts';
import result from './result.module.css';
import type { LiveAttempt } from './use-attempt.ts';

interface AttemptProps {
  readonly asked: Question;
  readonly attempt: LiveAttempt;
}

/** What happened when it was tried. There from the beginning, so that screen readers notice what appears in it. */
export function Attempt({ asked, attempt }: AttemptProps) {
  return (
    <div aria-live="polite" className={classes.place}>
      <Shown asked={asked} attempt={attempt} />
    </div>
  );
}

function Shown({ asked, attempt: { isRunning, error, made, run } }: AttemptProps) {
  if (isRunning) {
    return (
      <Paper withBorder p="md">
        <Text size="sm" c="dimmed">
          {asked.from} is trying to reach {asked.to}…
        </Text>
      </Paper>
    );
  }
  if (error !== null) return <ProblemNotice error={error} {...(run === undefined ? {} : { onRetry: run })} />;
  if (made === undefined) return null;
  const { report, at } = made;
  return (
    <Paper withBorder p="md" className={result.sheet} data-reality={report.reality}>
      <Stack gap="sm">
        <Group gap="sm" align="center">
          <Reality reality={report.reality} />
          <Text size="sm" c="dimmed">
            Tried <Ago at={at} />, in {report.took_ms.toLocaleString()} ms
          </Text>
        </Group>
        <Title order={2} size="h4" className={result.reason}>
          {report.reason}
        </Title>
        <Compared report={report} />
        {report.attempt !== null && <Facts items={factsOf(report)} />}
      </Stack>
    </Paper>
  );
}

const TONES = {
  agrees: { color: 'teal', Mark: IconCircleCheck },
  disagrees: { color: 'red', Mark: IconAlertTriangle },
  open: { color: 'gray', Mark: IconInfoCircle },
} as const;

function Compared({ report }: { readonly report: ProbeReport }) {
  const { tone, text } = comparison(report);
  const { color, Mark } = TONES[tone];
  return (
    <Alert color={color} variant="light" p="xs" icon={<Mark size={18} aria-hidden />} data-comparison={tone}>
      <Text size="sm">{text}</Text>
    </Alert>
  );
}

function factsOf({ attempt, arrival, explanation }: ProbeReport): readonly Fact[] {
  if (attempt === null) return [];
  const facts: Fact[] = [
    { label: 'From', value: attempt.node },
    { label: 'To', value: <span className={result.mono}>{`${attempt.address} ${explanation.port}`}</span> },
    { label: 'Attempt', value: attemptText(attempt) },
    {
      label: 'Arrival',
      value: arrival === null ? `${explanation.to.name} did not report what arrived` : arrivalText(arrival),
    },
  ];
  if (arrival?.path != null) facts.push({ label: 'Path', value: PATH_WORDS[arrival.path] });
  if (arrival?.rule != null) {
    facts.push({ label: 'Deciding rule', value: <span className={result.mono}>{arrival.rule}</span> });
  }
  return facts;
}
