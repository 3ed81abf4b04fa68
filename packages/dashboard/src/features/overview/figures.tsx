import { Paper, Text } from '@mantine/core';
import type { Overview } from '@meshwork/contract';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import classes from './figures.module.css';

interface Figure {
  readonly title: string;
  readonly value: string;
  readonly said: string;
  readonly link?: { readonly to: string; readonly search?: Record<string, string>; readonly label: string };
  /** True: something about it needs somebody. */
  readonly isTroubled?: boolean;
}

/** Everything beside the nodes, in numbers. What the reader may not see is left out. */
export function Figures({ overview }: { readonly overview: Overview }) {
  return (
    <section className={classes.figures} aria-label="The rest of the mesh">
      {figuresOf(overview).map(({ title, value, said, link, isTroubled = false }) => (
        <Paper key={title} withBorder p="md" className={classes.figure}>
          <Text size="sm" c="dimmed">
            {title}
          </Text>
          <span className={classes.value} data-troubled={isTroubled}>
            {value}
          </span>
          <Text size="sm" className={classes.said}>
            {said}
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

function figuresOf({ policy, relays, operations, ingress, tokens }: Overview): readonly Figure[] {
  const figures: Figure[] = [];
  if (operations !== null) {
    const { open, failed_lately } = operations;
    figures.push({
      title: 'Operations under way',
      value: String(open),
      said: failed_lately === 0 ? 'None failed in the last 24 hours' : `${failed_lately} failed in the last 24 hours`,
      link: { to: '/nodes/operations', search: { state: 'open' }, label: 'See which' },
      isTroubled: failed_lately > 0,
    });
  }
  if (policy !== null) {
    const { version, grants, groups, tests } = policy;
    figures.push({
      title: 'Policy',
      value: version === 0 ? 'None yet' : `Version ${version}`,
      said:
        version === 0
          ? 'Nobody has written one'
          : `${many(grants, 'grant')}, ${many(groups, 'group')}, ${many(tests, 'test')}`,
      link: { to: '/access', label: 'Open the policy' },
    });
  }
  if (relays !== null) {
    const { total, healthy } = relays;
    figures.push({
      title: 'Relays',
      value: total === 0 ? 'None' : `${healthy} of ${total}`,
      said: total === 0 ? 'Links that cannot go directly do not go at all' : 'proven to work',
      isTroubled: healthy < total,
    });
  }
  if (ingress !== null && ingress.total > 0) {
    const { total, served } = ingress;
    figures.push({
      title: 'Ingresses',
      value: `${served} of ${total}`,
      said: 'served by a gateway',
      isTroubled: served < total,
    });
  }
  if (tokens !== null) {
    const { active, expiring } = tokens;
    figures.push({
      title: 'Tokens',
      value: String(active),
      // Those that were made for less than a week are not among them: their end is no news.
      said:
        expiring === 0
          ? 'No lasting one ends within a week'
          : `${many(expiring, 'lasting one ends', 'lasting ones end')} within a week`,
      link: { to: '/tokens', label: 'All tokens' },
      isTroubled: expiring > 0,
    });
  }
  return figures;
}

function many(count: number, one: string, more = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : more}`;
}
