import type { Icon } from '@tabler/icons-react';
import classes from './badge.module.css';

/** A state with an icon and a word. Never shown by its colour alone. */
export type Tone = 'good' | 'busy' | 'watch' | 'bad' | 'off';

interface BadgeProps {
  readonly tone: Tone;
  readonly icon: Icon;
  readonly word: string;
  readonly title?: string;
}

/** A state: its icon, its word and its colour. */
export function Badge({ tone, icon: Shown, word, title }: BadgeProps) {
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <Shown size={14} stroke={2} aria-hidden className={classes.icon} />
      {word}
    </span>
  );
}
