import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Explanation } from '@meshwork/contract';
import { IconArrowsExchange, IconRefresh } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { Verdict } from '../../ui/state.tsx';
import classes from './answer.module.css';
import { CopyLink } from './copy-link.tsx';
import { Fixes } from './fixes.tsx';
import type { Question } from './question.ts';
import { Steps } from './steps.tsx';

interface AnswerProps {
  readonly asked: Question;
  readonly onAsk: (question: Question) => void;
}

export function Answer({ asked, onAsk }: AnswerProps) {
  const { from, to, port } = asked;
  const query = useRead('acls.explain', { query: { from, to, ...(port === '' ? {} : { port }) } });
  return (
    <Loaded query={query}>
      {(explanation) => (
        <Stack gap="md">
          <Paper withBorder p="md" className={classes.verdict} data-verdict={explanation.verdict} aria-live="polite">
            <Stack gap="sm">
              <Group gap="sm" align="center">
                <Verdict verdict={explanation.verdict} />
                <Text size="sm" c="dimmed" className={classes.asked}>
                  <Mono text={explanation.from.name} /> to <Mono text={explanation.to.name} /> on{' '}
                  <Mono text={explanation.port} />
                </Text>
              </Group>
              <Title order={2} size="h4" className={classes.reason}>
                {explanation.reason}
              </Title>
              {explanation.grant !== null && (
                <Text size="sm">
                  By the grant <Mono text={explanation.grant} />.
                </Text>
              )}
              <Group gap="xs">
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
                  Said of revision {explanation.revision}, <Ago at={new Date(query.dataUpdatedAt).toISOString()} />
                </Text>
              </Group>
            </Stack>
          </Paper>
          <div className={classes.columns}>
            <Section title="The way there" description="What was looked at, in order.">
              <Steps explanation={explanation} />
            </Section>
            {explanation.fix.length > 0 && (
              <Section title="What would help" description="The nearest first.">
                <Fixes explanation={explanation} asked={asked} onAsk={onAsk} />
              </Section>
            )}
          </div>
        </Stack>
      )}
    </Loaded>
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
      The other way around
    </Button>
  );
}

function Mono({ text }: { readonly text: string }) {
  return <span className={classes.mono}>{text}</span>;
}
