import { Paper, Text } from '@mantine/core';
import type { Overview } from '@meshwork/contract';
import { useFeatures } from '../../feature/feature-list.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './figures.module.css';

/** Everything beside the nodes, in numbers. What the reader has no permission for is left out. */
export function Figures({ overview }: { readonly overview: Overview }) {
  const figures = useFeatures().flatMap((feature) => feature.figures?.(overview) ?? []);
  return (
    <section className={classes.figures} aria-label="Key figures">
      {figures.map(({ title, value, caption, link, isTroubled = false }) => (
        <Paper key={title} withBorder p="md" className={classes.figure}>
          <Text size="sm" c="dimmed">
            {title}
          </Text>
          <span className={classes.value} data-troubled={isTroubled}>
            {value}
          </span>
          <Text size="sm" className={classes.caption}>
            {caption}
          </Text>
          {link !== undefined && (
            <AnchorLink to={link.to} search={link.search ?? {}} size="sm">
              {link.label}
            </AnchorLink>
          )}
        </Paper>
      ))}
    </section>
  );
}
