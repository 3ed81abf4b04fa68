import { Stack } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { PermissionWords } from '../../mesh/permission-words.tsx';
import { May, useMay } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { TokenActs } from './activity/token-acts.tsx';
import { RevokeButton } from './revoke/revoke-dialog.tsx';
import { RotateButton } from './rotate/rotate-button.tsx';
import { RotateDialog } from './rotate/rotate-dialog.tsx';
import { RotationChain } from './rotation-chain.tsx';
import { TokenChildren } from './token-children.tsx';
import { TokenFacts } from './token-facts.tsx';

export default function TokenPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const query = useRead('tokens.show', { params: { id } });
  const [rotating, setRotating] = useState<Token | null>(null);
  const may = useMay();
  const token = query.data?.body;
  return (
    <Page
      title={token?.name ?? 'Token'}
      back={{ to: '/tokens', label: 'Tokens' }}
      actions={
        token !== undefined && (
          <>
            <RotateButton token={token} onClick={() => setRotating(token)} />
            {may('tokens:revoke') && token.state !== 'revoked' && token.state !== 'expired' && (
              <RevokeButton token={token} etag={query.data?.etag ?? null} />
            )}
          </>
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <Stack gap="md">
            <TokenFacts token={shown} />
            {(shown.rotated_from !== null || shown.rotated_to !== null) && <RotationChain token={shown} />}
            <Section title="Permissions" description={`From its role, ${shown.role}, inside its boundary.`}>
              <PermissionWords permissions={shown.permissions} />
            </Section>
            {shown.on_behalf_of === null && <TokenChildren token={shown} />}
            <May permission="audit:read">
              <TokenActs token={shown} />
            </May>
          </Stack>
        )}
      </Loaded>
      <RotateDialog token={rotating} onClose={() => setRotating(null)} />
    </Page>
  );
}
