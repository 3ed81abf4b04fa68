import { Text } from '@mantine/core';
import { type DiffLine, diffLines } from '@meshwork/client/line-diff';
import { useMemo } from 'react';
import classes from './line-diff.module.css';
import { plural } from './plural.ts';

interface LineDiffProps {
  readonly before: string;
  readonly after: string;
  /** What is compared. Absent: the place says it. */
  readonly label?: string;
}

/** Unchanged lines that are shown around a change. */
const CONTEXT = 3;
const SIGNS = { same: ' ', removed: '-', added: '+' } as const;
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** What changed between two texts, with sign and colour. */
export function LineDiff({ before, after, label = 'Changed lines' }: LineDiffProps) {
  const lines = useMemo(() => nearChanges(diffLines(before.split('\n'), after.split('\n'))), [before, after]);
  if (before === after) {
    return (
      <Text size="sm" c="dimmed">
        No difference.
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className={classes.diff} aria-label={label} tabIndex={0}>
      {lines.map((line) =>
        'left_out' in line ? (
          <div key={`left out at ${line.at}`} className={classes.gap}>
            {plural(line.left_out, 'unchanged line')}
          </div>
        ) : (
          <div key={`${line.before ?? ''}:${line.after ?? ''}`} className={classes.line} data-kind={line.kind}>
            <span className={classes.number} aria-hidden>
              {line.before}
            </span>
            <span className={classes.number} aria-hidden>
              {line.after}
            </span>
            <span className={classes.sign} aria-hidden>
              {SIGNS[line.kind]}
            </span>
            <span className={classes.text}>
              <span className={classes.word}>{WORDS[line.kind]}</span>
              {line.text === '' ? ' ' : line.text}
            </span>
          </div>
        ),
      )}
    </section>
  );
}

interface Gap {
  readonly left_out: number;
  readonly at: number;
}

function nearChanges(lines: readonly DiffLine[]): readonly (DiffLine | Gap)[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries()) {
    if (kind === 'same') continue;
    for (let one = index - CONTEXT; one <= index + CONTEXT; one++) near.add(one);
  }
  const shown: (DiffLine | Gap)[] = [];
  let left_out = 0;
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) left_out += 1;
    else {
      if (left_out > 0) shown.push({ left_out, at: index });
      left_out = 0;
      shown.push(line);
    }
  }
  if (left_out > 0) shown.push({ left_out, at: lines.length });
  return shown;
}
