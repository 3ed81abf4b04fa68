import { Paper } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { Answer } from './answer.tsx';
import type { Question } from './question.ts';
import { QuestionForm } from './question-form.tsx';
import { SelfCheckSection } from './self-check.tsx';

export default function ReachPage() {
  const [{ from = '', to = '', port = '' }, setFilters] = useFilters(['from', 'to', 'port']);
  const asked: Question = { from, to, port };
  const ask = (question: Question) => setFilters({ ...question });
  return (
    <Page title="Reach" subtitle="Find out why a node can or cannot reach something, step by step.">
      <Paper withBorder p="md">
        <QuestionForm asked={asked} onAsk={ask} />
      </Paper>
      {from !== '' && to !== '' ? (
        <Answer key={JSON.stringify(asked)} asked={asked} onAsk={ask} />
      ) : (
        <EmptyState icon={IconRoute} title="Check access between two nodes" command="mesh explain laptop-3 git-1:22">
          Enter a source and a destination. The answer names the grant that allows it, or the step that fails and how to
          fix it. The same in a terminal:
        </EmptyState>
      )}
      <SelfCheckSection />
    </Page>
  );
}
