import { Text } from '@mantine/core';
import type { Explanation } from '@meshwork/contract';
import { Verdict } from '../../ui/state.tsx';
import classes from './answer-list.module.css';

/** The answer for each address family of a name. In one line, unless they differ. */
export function Families({ explanation }: { readonly explanation: Explanation }) {
  const { families = [], verdict, reason } = explanation; // absent: an older coordinator
  if (families.length === 0) return null;
  if (families.every((one) => one.verdict === verdict && one.reason === reason)) {
    return (
      <Text size="sm" c="dimmed" className={classes.text}>
        The same over {families.map(({ family, address }) => `IPv${family} (${address})`).join(' and ')}.
      </Text>
    );
  }
  return (
    <ul className={classes.list} aria-label="By address family">
      {families.map((one) => (
        <li key={one.family} className={classes.item}>
          <div className={classes.head}>
            <Verdict verdict={one.verdict} />
            <Text size="sm" fw={600} span>
              IPv{one.family}
            </Text>
            <Text size="sm" c="dimmed" span className={classes.mono}>
              {one.address}
            </Text>
          </div>
          <Text size="sm" className={classes.text}>
            {one.reason}
          </Text>
        </li>
      ))}
    </ul>
  );
}
