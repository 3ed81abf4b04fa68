import { CopyButton } from './copy-button.tsx';
import classes from './copyable.module.css';

interface CopyableProps {
  readonly value: string;
}

/** An id, key or address in the middle of other text, to copy. */
export function Copyable({ value }: CopyableProps) {
  return (
    <span className={classes.copyable}>
      <span className={classes.value}>{value}</span>
      <CopyButton value={value} label={value} size="xs" />
    </span>
  );
}
