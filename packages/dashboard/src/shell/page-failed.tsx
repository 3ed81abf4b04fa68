import { Button, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../ui/page.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';

/** A page broke. The rest of the dashboard goes on; a reload also fetches a version that was installed meanwhile. */
export function PageFailed({ error }: ErrorComponentProps) {
  return (
    <Page title="This page failed to load">
      <Stack align="flex-start">
        <ProblemNotice error={error} />
        <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => location.reload()}>
          Reload
        </Button>
      </Stack>
    </Page>
  );
}
