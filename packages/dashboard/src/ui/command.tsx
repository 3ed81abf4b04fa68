import { Text } from '@mantine/core';
import classes from './command.module.css';
import { CopyButton } from './copy-button.tsx';

interface CommandProps {
  /** May be of several lines. */
  readonly text: string;
  readonly label?: string;
}

/** A command line to copy. */
export function Command({ text, label }: CommandProps) {
  return (
    <div className={classes.whole}>
      {label !== undefined && (
        <Text size="xs" c="dimmed" mb={4}>
          {label}
        </Text>
      )}
      <div className={classes.box}>
        <code className={classes.text}>{text}</code>
        <CopyButton value={text} label={label ?? 'the command'} />
      </div>
    </div>
  );
}
