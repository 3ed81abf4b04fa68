import { Text } from '@mantine/core';
import type { WafExclusionRules, WafReplay } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import classes from '../waf.module.css';
import { matchedRules } from '../waf-words.ts';
import { replayWords } from './replay-words.ts';

interface ReplayProps {
  /** Id of the policy. */
  readonly policy: string;
  readonly exclusion: WafExclusionRules;
}

/** What an exclusion would have done to the events that are recorded. In a question, which leads nowhere else: without links. */
export function Replay({ policy, exclusion }: ReplayProps) {
  const query = useRead('waf.replay', { params: { id: policy }, body: exclusion });
  return <Loaded query={query}>{(replay) => <ShownReplay replay={replay} isLinked={false} />}</Loaded>;
}

/** Ours: enough to see what they have in common. */
const SHOWN = 5;

interface ShownReplayProps {
  readonly replay: WafReplay;
  /** False: outside of the pages, where links do not work. */
  readonly isLinked?: boolean;
}

export function ShownReplay({ replay, isLinked = true }: ShownReplayProps) {
  const { examples } = replay;
  return (
    <div>
      <Text size="sm">{replayWords(replay)}</Text>
      {examples.length > 0 && (
        <ul className={classes.lines} aria-label="Requests that would have passed" style={{ marginTop: '0.5rem' }}>
          {examples.slice(0, SHOWN).map((event) => (
            <li key={event.id}>
              {isLinked ? (
                <AnchorLink to="/waf/events/$id" params={{ id: event.id }} size="sm" className={classes.request}>
                  {requestWords(event)}
                </AnchorLink>
              ) : (
                <span className={classes.request}>{requestWords(event)}</span>
              )}
              <span className={classes.below}>
                <Ago at={event.at} /> from {event.address}: {matchedRules(event)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function requestWords({ method, host, path }: WafReplay['examples'][number]): string {
  return `${method} ${host}${path}`;
}
