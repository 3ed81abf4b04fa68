import { Text } from '@mantine/core';
import type { LinkOverTime, LinkWay } from '@meshwork/contract';
import { useSyncExternalStore } from 'react';
import { sharedNow, span, subscribeToTime } from '../../ui/ago.ts';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './paths-over-time.module.css';
import { beginOf, spansOf, type WaySpan, wayWords } from './way-words.ts';

type Path = LinkWay['path'];
const LEGEND: readonly (readonly [Path, string])[] = [
  ['direct', 'Direct'],
  ['relay', 'Relayed'],
  ['idle', 'Not in use'],
  ['none', 'No path'],
];

/** The ways that packets took, as each end reported them: drawn, and in words. */
export function PathsOverTime({ link: { a, b, a_view, b_view } }: { readonly link: LinkOverTime }) {
  const clock_ms = useSyncExternalStore(subscribeToTime, sharedNow);
  const ends = [
    { name: a.name, history: a_view?.history ?? [] },
    { name: b.name, history: b_view?.history ?? [] },
  ].filter(({ history }) => history.length > 0);
  const from_ms = beginOf(...ends.map(({ history }) => history));
  // The clock of the coordinator may be ahead of that of the browser.
  const latest = ends.flatMap(({ history }) => history.map(({ since }) => Date.parse(since)));
  const now_ms = Math.max(clock_ms, ...latest);
  return (
    <Section
      title="Paths over time"
      description="As each end reported them, kept since the coordinator started. The last 20 of each."
    >
      {from_ms === null ? (
        <Text size="sm" c="dimmed">
          Neither end has reported a path yet.
        </Text>
      ) : (
        <>
          <div aria-hidden className={classes.drawing}>
            {ends.map(({ name, history }) => (
              <Lane key={name} name={name} spans={spansOf(history, from_ms, now_ms)} />
            ))}
            <div className={classes.axis}>
              <Ago at={new Date(from_ms).toISOString()} />
              <span>now</span>
            </div>
            <Legend />
          </div>
          <div className={classes.lists}>
            {ends.map(({ name, history }) => (
              <Ways key={name} name={name} spans={spansOf(history, from_ms, now_ms)} />
            ))}
          </div>
        </>
      )}
    </Section>
  );
}

interface LaneProps {
  readonly name: string;
  readonly spans: readonly WaySpan[];
}

function Lane({ name, spans }: LaneProps) {
  return (
    <>
      <span className={classes.name}>{name}</span>
      <div className={classes.lane}>
        {spans.map(({ way, left, width }) => (
          <div
            key={way.since + wayWords(way)}
            className={classes.way}
            data-path={way.path}
            // One that has just begun is seen too.
            style={{ left: `min(${left}%, 100% - 4px)`, width: `${width}%` }}
            title={wayWords(way)}
          />
        ))}
      </div>
    </>
  );
}

function Legend() {
  return (
    <div className={classes.legend}>
      {LEGEND.map(([path, word]) => (
        <span key={path} className={classes.entry}>
          <span className={classes.swatch} data-path={path} />
          {word}
        </span>
      ))}
    </div>
  );
}

function Ways({ name, spans }: LaneProps) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        From {name}
      </Text>
      <ol className={classes.ways}>
        {spans.map(({ way, until_ms }, place) => (
          <li key={way.since + wayWords(way)} className={classes.line}>
            <span className={classes.swatch} data-path={way.path} aria-hidden />
            <div className={classes.words}>
              {wayWords(way)}
              <Text size="xs" c="dimmed">
                {place === 0 ? 'Since ' : ''}
                <Moment at={way.since} />, {place === 0 ? 'now' : `for ${lasted(way, until_ms)}`}
                {way.why !== null && `: ${way.why}`}
              </Text>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}

function lasted({ since }: LinkWay, until_ms: number): string {
  return span(Math.max(0, (until_ms - Date.parse(since)) / 1000));
}
