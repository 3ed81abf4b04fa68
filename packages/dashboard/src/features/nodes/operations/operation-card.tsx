import { Button, Collapse, Group, Paper, Text } from '@mantine/core';
import type { NodeOperation } from '@meshwork/contract';
import { isOpen } from '@meshwork/contract/vocabulary';
import { useState } from 'react';
import { Actor } from '../../../ui/actor.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { OperationState } from '../../../ui/state.tsx';
import { CancelOperation } from './cancel-operation.tsx';
import { NodeAnswer } from './node-answer.tsx';
import classes from './operation-card.module.css';
import { OperationSteps } from './operation-steps.tsx';
import { detailWords, KIND_WORDS } from './operation-words.ts';

interface OperationCardProps {
  readonly operation: NodeOperation;
  /** True: it stands alone on its page, and is shown in full. */
  readonly isWhole?: boolean;
}

/** One operation: what was requested, by whom, and its progress. */
export function OperationCard({ operation, isWhole = false }: OperationCardProps) {
  const { id, kind, state, requested_by, requested_at, reason, result_bytes } = operation;
  const [isOpened, setOpened] = useState(isWhole);
  const detail = detailWords(operation);
  const isUnderWay = isOpen(state);
  return (
    <Paper withBorder p="sm">
      <div className={classes.head}>
        <Text fw={600} size="sm" span className={classes.title}>
          {isWhole ? (
            KIND_WORDS[kind]
          ) : (
            <AnchorLink to={`/nodes/operations/${id}`} inherit>
              {KIND_WORDS[kind]}
            </AnchorLink>
          )}
        </Text>
        <OperationState state={state} />
        <CancelOperation operation={operation} />
      </div>
      <Text size="sm" c="dimmed" component="div">
        Requested by <Actor actor={requested_by} />, <Ago at={requested_at} />
      </Text>
      {detail !== null && <div className={classes.detail}>{detail}</div>}
      {(isUnderWay || isWhole) && <OperationSteps operation={operation} />}
      {reason !== null && (
        <Text size="sm" className={classes.reason}>
          {reason}
        </Text>
      )}
      {result_bytes !== null && (
        <>
          {!isWhole && (
            <Group mt="xs">
              <Button size="xs" variant="default" aria-expanded={isOpened} onClick={() => setOpened(!isOpened)}>
                {isOpened ? 'Hide result' : 'Show result'}
              </Button>
            </Group>
          )}
          <Collapse expanded={isOpened}>{isOpened && <NodeAnswer operation={id} />}</Collapse>
        </>
      )}
    </Paper>
  );
}
