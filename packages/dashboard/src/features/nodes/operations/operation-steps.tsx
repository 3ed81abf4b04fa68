import type { NodeOperation } from '@meshwork/contract';
import { isOpen } from '@meshwork/contract/vocabulary';
import { IconCheck, IconX } from '@tabler/icons-react';
import { Ago } from '../../../ui/moment.tsx';
import classes from './operation-steps.module.css';
import { endedBadly, stepsBehind } from './operation-words.ts';

/** Requested, delivered, verified: how far it came, what it waits for, and until when. */
export function OperationSteps({ operation }: { readonly operation: NodeOperation }) {
  const { state, requested_at, delivered_at, verified_at, waits_for, deadline } = operation;
  const behind = stepsBehind(operation);
  const moments = [requested_at, delivered_at, verified_at];
  return (
    <div className={classes.whole}>
      <ol className={classes.steps}>
        {STEPS.map((word, place) => {
          const how = place < behind ? 'done' : place === behind ? (endedBadly(state) ? 'broken' : 'now') : 'ahead';
          const at = moments[place] ?? null;
          return (
            <li key={word} className={classes.step} data-how={how} aria-current={how === 'now' ? 'step' : undefined}>
              <span className={classes.dot} aria-hidden>
                {how === 'done' && <IconCheck size={12} stroke={3} />}
                {how === 'broken' && <IconX size={12} stroke={3} />}
              </span>
              <span className={classes.word}>{how === 'broken' ? `Not ${word.toLowerCase()}` : word}</span>
              <span className={classes.at}>{at !== null ? <Ago at={at} /> : how === 'now' ? 'waiting' : null}</span>
            </li>
          );
        })}
      </ol>
      {isOpen(state) && (
        <div className={classes.waits}>
          {waits_for !== null && <>Waiting until {waits_for}. </>}
          Times out <Ago at={deadline} />.
        </div>
      )}
    </div>
  );
}

const STEPS = ['Requested', 'Delivered', 'Verified'] as const;
