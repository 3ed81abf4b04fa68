import { Text, Tooltip } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly help?: string;
}

interface FactsProps {
  readonly items: readonly Fact[];
}

/** What is true of one thing, name by name. */
export function Facts({ items }: FactsProps) {
  return (
    <dl className={classes.facts}>
      {items.map(({ label, value, help }) => (
        <div key={label} className={classes.fact}>
          <dt className={classes.label}>
            <Text size="sm" c="dimmed" component="span">
              {label}
            </Text>
            {help !== undefined && (
              <Tooltip label={help} multiline maw={280} withArrow events={{ hover: true, focus: true, touch: true }}>
                <button type="button" className={classes.help} aria-label={`${label}: ${help}`}>
                  <IconHelpCircle size={14} aria-hidden />
                </button>
              </Tooltip>
            )}
          </dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
