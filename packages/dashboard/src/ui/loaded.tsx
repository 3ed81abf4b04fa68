import { Skeleton, Stack } from '@mantine/core';
import { ApiError, type ClientResponse } from '@meshwork/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNotice } from './problem-notice.tsx';

interface LoadedProps<Body> {
  readonly query: UseQueryResult<ClientResponse<Body>>;
  readonly children: (body: Body, reply: ClientResponse<Body>) => ReactNode;
}

/** What was read, once it is there; until then its outline, or why it is not. */
export function Loaded<Body>({ query, children }: LoadedProps<Body>) {
  const { data, error } = query;
  // The last answer stays visible while the service is unreachable, but not after it reports that the resource is gone.
  const over = error instanceof ApiError && !error.retryable;
  if (data !== undefined && !over) return children(data.body, data);
  if (error !== null) return <ProblemNotice error={error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="sm" aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={20} width="40%" />
      <Skeleton height={64} />
      <Skeleton height={64} />
    </Stack>
  );
}
