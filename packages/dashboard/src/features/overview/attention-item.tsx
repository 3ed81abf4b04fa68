import { Text } from '@mantine/core';
import type { Attention } from '@meshwork/contract';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Command } from '../../ui/command.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Severity } from '../../ui/state.tsx';
import classes from './attention.module.css';
import { whereToLook } from './where-to-look.ts';

/** One thing that needs a person: what, since when, what to do, and where. */
export function AttentionItem({ attention }: { readonly attention: Attention }) {
  const { severity, title, detail, since, fix } = attention;
  const where = whereToLook(attention);
  return (
    <li className={classes.item} data-severity={severity}>
      <div className={classes.head}>
        <Severity level={severity} />
        <Text fw={600} size="sm" className={classes.title}>
          {title}
        </Text>
        {since !== null && (
          <Text size="sm" c="dimmed" span>
            <Ago at={since} />
          </Text>
        )}
      </div>
      <Text size="sm" c="dimmed" className={classes.text}>
        {detail}
      </Text>
      {fix !== null && (
        <Text size="sm" className={classes.text}>
          {fix}
        </Text>
      )}
      {'place' in where ? (
        <AnchorLink to={where.place.to} search={where.place.search ?? {}} size="sm" className={classes.place}>
          {where.place.label}
        </AnchorLink>
      ) : (
        <Command text={where.command} />
      )}
    </li>
  );
}
