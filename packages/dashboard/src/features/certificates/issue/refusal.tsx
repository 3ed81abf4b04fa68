import { Alert, List, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { IconCircleX } from '@tabler/icons-react';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';

/** Why nothing was issued: every fault of the request, so that the next one is the last. */
export function Refusal({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.code !== 'certificate_refused') return <ProblemNotice error={error} />;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconCircleX aria-hidden />}
      title="Nothing was issued: the request was refused"
      role="alert"
    >
      {error.errors.length === 0 ? (
        <Text size="sm">{error.detail}</Text>
      ) : (
        <>
          <Text size="sm">The request</Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {error.errors.map(({ detail }) => (
              <List.Item key={detail}>{detail}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
