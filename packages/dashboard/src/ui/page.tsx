/** What every page begins with: its title, which the browser's tab shows too, and what one can do there. */
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { AnchorLink } from './anchor-link.tsx';
import classes from './page.module.css';

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

// After loading, nothing was navigated yet: the browser's own focus is right.
let last_path: string | undefined;

/** After navigation the focus is on the title of the page: a screen reader announces it, and Tab continues from there. */
function usePageFocus(): RefObject<HTMLHeadingElement | null> {
  const title = useRef<HTMLHeadingElement>(null);
  // Not the next location: the page that is being left is notified of it too.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    if (path === undefined) return;
    if (last_path !== undefined && last_path !== path) title.current?.focus({ preventScroll: true });
    last_path = path;
  }, [path]);
  return title;
}
