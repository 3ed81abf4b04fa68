import { Button, Group, Stack, Text } from '@mantine/core';
import type { Explanation } from '@meshwork/contract';
import { useMay } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { Command } from '../../ui/command.tsx';
import { type Fix, readFix } from './fix.ts';
import classes from './fixes.module.css';
import type { Question } from './question.ts';

interface FixesProps {
  readonly explanation: Explanation;
  readonly asked: Question;
  readonly onAsk: (question: Question) => void;
}

export function Fixes({ explanation, asked, onAsk }: FixesProps) {
  const { fix: fixes, steps } = explanation;
  return (
    <ol className={classes.fixes}>
      {fixes.map(readFix).map((fix, index) => (
        <li key={fix.text + (fix.command ?? '')}>
          <Stack gap={6} align="flex-start">
            <Text size="sm" className={classes.text}>
              {fix.text}
            </Text>
            {fix.command !== undefined && <Command text={fix.command} />}
            <WhatToDo
              fix={fix}
              explanation={explanation}
              // Where a name is not known there is one step for each end that is lost, and one suggestion for it.
              askAbout={(name) => onAsk(askedInstead(asked, name, steps[index]?.check === 'source'))}
            />
          </Stack>
        </li>
      ))}
    </ol>
  );
}

interface WhatToDoProps {
  readonly fix: Fix;
  readonly explanation: Explanation;
  readonly askAbout: (name: string) => void;
}

function WhatToDo({ fix, explanation: { from, to }, askAbout }: WhatToDoProps) {
  const may = useMay();
  if (fix.suggest !== undefined) {
    return (
      <ButtonLink to="/access" search={{ suggest: fix.suggest }} size="xs" variant="light">
        {may('acls:write') ? 'Open in the policy editor' : 'View in policy'}
      </ButtonLink>
    );
  }
  if (fix.meant !== undefined) {
    return (
      <Group gap="xs">
        {fix.meant.map((name) => (
          <Button key={name} size="xs" variant="light" onClick={() => askAbout(name)}>
            Ask about {name}
          </Button>
        ))}
      </Group>
    );
  }
  if (fix.retag !== undefined) {
    const node = [from, to].find(({ id, name }) => id !== null && name === fix.retag);
    return node?.id == null ? null : (
      <AnchorLink to="/nodes/$id" params={{ id: node.id }} size="sm">
        Open {node.name}
      </AnchorLink>
    );
  }
  if (fix.rule !== undefined) {
    return (
      <AnchorLink to="/firewall" search={{ rule: fix.rule }} size="sm">
        Open rule
      </AnchorLink>
    );
  }
  return fix.is_policy === true ? (
    <AnchorLink to="/access" size="sm">
      Open policy
    </AnchorLink>
  ) : null;
}

function askedInstead(asked: Question, name: string, isSource: boolean): Question {
  if (isSource) return { ...asked, from: name };
  const isService = asked.to.startsWith('service:') && !name.startsWith('service:');
  return { ...asked, to: isService ? `service:${name}` : name };
}
