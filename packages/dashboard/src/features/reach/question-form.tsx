import { Button, Group } from '@mantine/core';
import { IconArrowsExchange, IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { NodeField } from '../../mesh/node-field.tsx';
import { PortField } from './port-field.tsx';
import { portMeant, type Question, withPort } from './question.ts';
import classes from './question-form.module.css';

interface QuestionFormProps {
  /** What was asked last. */
  readonly asked: Question;
  readonly onAsk: (question: Question) => void;
}

export function QuestionForm({ asked, onAsk }: QuestionFormProps) {
  const [question, setQuestion] = useState(asked);
  const [known, setKnown] = useState(asked);
  // A link, the other direction or "did you mean" asked something else.
  if (asked.from !== known.from || asked.to !== known.to || asked.port !== known.port) {
    setKnown(asked);
    setQuestion(asked);
  }
  const change = (some: Partial<Question>) => setQuestion((now) => ({ ...now, ...some }));
  const { from, to, port } = question;
  const ready = from.trim() !== '' && to.trim() !== '';
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        const split = withPort(to);
        const meant = { from: from.trim(), to: split?.to ?? to.trim(), port: split?.port ?? portMeant(port) };
        setQuestion(meant);
        onAsk(meant);
      }}
    >
      <NodeField
        label="From"
        description="Source node"
        placeholder="laptop-3"
        value={from}
        onChange={(value) => change({ from: value })}
      />
      <NodeField
        label="To"
        description="Node, service or address"
        placeholder="git-1"
        services
        value={to}
        onChange={(value) => change({ to: value })}
      />
      <PortField value={port} to={to} onChange={(value) => change({ port: value })} />
      <Group gap="xs" className={classes.buttons} wrap="nowrap">
        <Button type="submit" disabled={!ready} leftSection={<IconHelpCircle size={16} aria-hidden />}>
          Ask
        </Button>
        <Button
          variant="default"
          disabled={!ready}
          leftSection={<IconArrowsExchange size={16} aria-hidden />}
          onClick={() => change({ from: to, to: from })}
        >
          Swap
        </Button>
      </Group>
    </form>
  );
}
