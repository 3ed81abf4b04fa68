import { Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { Explanation } from '@meshwork/contract';
import { IconArrowsExchange, IconCheck, IconLink, IconPlugConnected, IconRefresh } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Verdict } from '../../ui/state.tsx';
import classes from './answer.module.css';
import { Attempt } from './attempt.tsx';
import { Conditions } from './conditions.tsx';
import { Families } from './families.tsx';
import { Fixes } from './fixes.tsx';
import type { Question } from './question.ts';
import result from './result.module.css';
import { Steps } from './steps.tsx';
import { type LiveAttempt, useAttempt } from './use-attempt.ts';

interface AnswerProps {
  readonly asked: Question;
  readonly onAsk: (question: Question) => void;
}

export function Answer({ asked, onAsk }: AnswerProps) {
  const { from, to, port } = asked;
  const query = useRead('acls.explain', { query: { from, to, ...(port === '' ? {} : { port }) } });
  const attempt = useAttempt(asked);
  return (
    <Loaded query={query}>
      {(explanation) => (
        <Stack gap="md">
          <div className={classes.beside}>
            <Paper withBorder p="md" className={result.sheet} data-verdict={explanation.verdict} aria-live="polite">
              <Stack gap="sm">
                <Group gap="sm" align="center">
                  <Verdict verdict={explanation.verdict} />
                  <Text size="sm" c="dimmed" className={classes.asked}>
                    <Mono text={explanation.from.name} /> to <Mono text={explanation.to.name} /> on{' '}
                    <Mono text={explanation.port} />
                  </Text>
                </Group>
                <Title order={2} size="h4" className={result.reason}>
                  {explanation.reason}
                </Title>
                {explanation.grant !== null && (
                  <Text size="sm">
                    By the grant <Mono text={explanation.grant} />.
                  </Text>
                )}
                <Families explanation={explanation} />
                <Conditions conditions={explanation.conditions} />
                <Group gap="xs">
                  <TryIt attempt={attempt} />
                  <Reverse explanation={explanation} onAsk={onAsk} />
                  <Button
                    size="xs"
                    variant="default"
                    loading={query.isFetching}
                    leftSection={<IconRefresh size={14} aria-hidden />}
                    onClick={() => void query.refetch()}
                  >
                    Ask again
                  </Button>
                  <CopyLink />
                  <Text size="xs" c="dimmed">
                    Based on revision {explanation.revision}, <Ago at={new Date(query.dataUpdatedAt).toISOString()} />
                  </Text>
                </Group>
              </Stack>
            </Paper>
            <Attempt asked={asked} attempt={attempt} />
          </div>
          <div className={classes.columns}>
            <Section title="Path" description="Every check, in order.">
              <Steps explanation={explanation} />
            </Section>
            {explanation.fix.length > 0 && (
              <Section title="How to fix it" description="Simplest first.">
                <Fixes explanation={explanation} asked={asked} onAsk={onAsk} />
              </Section>
            )}
          </div>
        </Stack>
      )}
    </Loaded>
  );
}

/** Not disabled while it runs: it would lose the focus, and with it the place of a person who uses the keyboard. */
function TryIt({ attempt: { run, isRunning } }: { readonly attempt: LiveAttempt }) {
  if (run === undefined) return null;
  return (
    <Button
      size="xs"
      variant="default"
      aria-disabled={isRunning}
      leftSection={isRunning ? <Loader size={14} aria-hidden /> : <IconPlugConnected size={14} aria-hidden />}
      title="Have the source make a real attempt"
      onClick={() => {
        if (!isRunning) run();
      }}
    >
      Try it
    </Button>
  );
}

/** Grants open flows in one direction, so the other one is a question of its own. */
function Reverse({
  explanation: { from, to, port },
  onAsk,
}: { readonly explanation: Explanation } & Pick<AnswerProps, 'onAsk'>) {
  if (to.id === null || from.id === null) return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconArrowsExchange size={14} aria-hidden />}
      onClick={() => onAsk({ from: to.name, to: from.name, port })}
    >
      Swap direction
    </Button>
  );
}

function Mono({ text }: { readonly text: string }) {
  return <span className={result.mono}>{text}</span>;
}

/** The question as a link to share. The answer depends on the permissions of its reader. */
function CopyLink() {
  const { copied, copy, error } = useClipboard({ timeout: 2_000 });
  const word = error === null ? (copied ? 'Copied' : 'Copy link') : 'Copy failed: use the address bar';
  const Shown = copied ? IconCheck : IconLink;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Shown size={14} aria-hidden />}
      onClick={() => copy(window.location.href)}
    >
      {word}
    </Button>
  );
}
