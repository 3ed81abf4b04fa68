import { Text } from '@mantine/core';
import type { Attention } from '@meshwork/contract';
import { useFeatures } from '../../feature/feature-list.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Command } from '../../ui/command.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Severity } from '../../ui/state.tsx';
import classes from './attention.module.css';

/** One item that needs attention: what, since when, what to do, and where. */
export function AttentionItem({ attention }: { readonly attention: Attention }) {
  const { kind, subject, severity, title, detail, since, fix } = attention;
  // Undefined: a newer coordinator sends a kind that this page does not know yet.
  const remedy = useFeatures()
    .find((feature) => feature.attention?.[kind])
    ?.attention?.[kind]?.(subject);
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
      {remedy !== undefined && 'page' in remedy && (
        <AnchorLink to={remedy.page.to} search={remedy.page.search ?? {}} size="sm" className={classes.place}>
          {remedy.page.label}
        </AnchorLink>
      )}
      {remedy !== undefined && 'command' in remedy && <Command text={remedy.command} />}
    </li>
  );
}
