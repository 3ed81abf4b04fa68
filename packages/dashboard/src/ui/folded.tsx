import { Button, Collapse } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import classes from './folded.module.css';

interface FoldedProps {
  /** On the button. */
  readonly title: string;
  /** For those who hear the button alone, where its title says too little. */
  readonly label?: string;
  /** What is set now, in a few words. */
  readonly summary: string;
  /** True: something in it is wrong, and has to be seen. */
  readonly isOpenForced: boolean;
  readonly children: ReactNode;
}

/** The ground under the pointer, on which the title stays legible. */
const LEGIBLE = () => ({ root: { '--button-hover': 'var(--mantine-color-default-hover)' } });

/** What most people never change: folded, with its present values in a line. */
export function Folded({ title, label = title, summary, isOpenForced, children }: FoldedProps) {
  const [wanted, setWanted] = useState(false);
  const id = useId();
  const isOpen = wanted || isOpenForced;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <div className={classes.folded}>
        <Button
          variant="subtle"
          size="compact-sm"
          vars={LEGIBLE}
          leftSection={<Chevron size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={label}
          onClick={() => setWanted(!isOpen)}
        >
          {title}
        </Button>
        <span className={classes.summary}>{summary}</span>
      </div>
      <Collapse expanded={isOpen} id={id}>
        <fieldset className={classes.unfolded} aria-label={label}>
          {children}
        </fieldset>
      </Collapse>
    </div>
  );
}
