import { Text } from '@mantine/core';
import { useMadeTokens } from '../../mesh/made-tokens.ts';
import { TokenLines } from '../../mesh/token-lines.tsx';
import { useMay } from '../../session/session.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { Section } from '../../ui/section.tsx';

export function MadeTokens({ user }: { readonly user: string }) {
  const { data, error, refetch } = useMadeTokens(user);
  if (!useMay()('tokens:read')) return null;
  return (
    <Section
      title="Tokens"
      description="Created or last rotated by this person, directly or with a token of theirs, and still valid. They are revoked when the person is disabled or removed, and when they exceed a new role or scope, unless you keep them."
    >
      {error !== null && <ProblemNotice error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <Text c="dimmed">None.</Text>}
      {data !== undefined && data.length > 0 && <TokenLines tokens={data} label="Tokens of this person" />}
    </Section>
  );
}
