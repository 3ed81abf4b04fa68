/** What every page begins with: its title, which the browser's tab shows too, and what one can do there. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { AnchorLink } from './anchor-link.tsx';
import classes from './page.module.css';
import { usePageFocus } from './page-focus.ts';

interface PageProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  readonly back?: { readonly to: string; readonly label: string };
  readonly children?: ReactNode;
}

export function Page({ title, subtitle, actions, back, children }: PageProps) {
  const heading = usePageFocus();
  useEffect(() => {
    document.title = `${title} · Meshwork`;
  }, [title]);
  return (
    <Stack gap="lg" className={classes.page}>
      <div>
        {back !== undefined && (
          <AnchorLink to={back.to} size="sm" className={classes.back}>
            <IconChevronLeft size={16} aria-hidden />
            {back.label}
          </AnchorLink>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <div className={classes.heading}>
            <Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.title}>
              {title}
            </Title>
            {subtitle !== undefined && (
              <Text c="dimmed" component="div" size="sm">
                {subtitle}
              </Text>
            )}
          </div>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      {children}
    </Stack>
  );
}
