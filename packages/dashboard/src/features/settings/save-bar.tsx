import { Button, Group, Text } from '@mantine/core';
import { plural } from '../../ui/plural.ts';
import classes from './save-bar.module.css';

interface SaveBarProps {
  readonly count: number;
  readonly isWhole: boolean;
  readonly isRunning: boolean;
  readonly discard: () => void;
}

/** Stays in sight while there are unsaved changes. */
export function SaveBar({ count, isWhole, isRunning, discard }: SaveBarProps) {
  if (count === 0) return null;
  return (
    <div className={classes.bar} role="status">
      <Text size="sm" fw={500}>
        {plural(count, 'unsaved change')}
        {!isWhole && '; a field is empty'}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={discard}>
          Discard
        </Button>
        <Button type="submit" disabled={!isWhole} loading={isRunning}>
          Review and save
        </Button>
      </Group>
    </div>
  );
}
