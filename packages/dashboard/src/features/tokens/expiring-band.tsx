import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { IconClockExclamation } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { coordinator } from '../../api/clients.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import classes from './expiring-band.module.css';
import { AHEAD_DAYS, isExpiring } from './is-expiring.ts';
import { RotateButton } from './rotate/rotate-button.tsx';
import { RotateDialog } from './rotate/rotate-dialog.tsx';

/** Ours: the rest is shown on request. */
const SHOWN = 3;

/** Tokens that expire soon. Renders nothing when there are none; the list below shows errors. */
export function ExpiringBand() {
  const { data: tokens = [] } = useExpiringTokens();
  const [rotating, setRotating] = useState<Token | null>(null);
  return (
    <>
      {tokens.length > 0 && <Expiring tokens={tokens} rotate={setRotating} />}
      <RotateDialog token={rotating} onClose={() => setRotating(null)} />
    </>
  );
}

interface ExpiringProps {
  readonly tokens: readonly Token[];
  readonly rotate: (token: Token) => void;
}

function Expiring({ tokens, rotate }: ExpiringProps) {
  const [all, setAll] = useState(false);
  const shown = all ? tokens : tokens.slice(0, SHOWN);
  return (
    <Alert color="yellow" variant="light" icon={<IconClockExclamation aria-hidden />} title={titleOf(tokens)}>
      <Stack gap="xs">
        <Text size="sm">
          Programs that use them stop working then. Rotate a token to get a new secret; the old one stays valid for a
          while.
        </Text>
        <ul className={classes.tokens}>
          {shown.map((token) => (
            <li key={token.id} className={classes.token}>
              <span className={classes.name}>
                <AnchorLink to="/tokens/$id" params={{ id: token.id }} c="inherit" fw={500} underline="always">
                  {token.name}
                </AnchorLink>{' '}
                expires <Ago at={token.expires} />
              </span>
              <RotateButton token={token} size="compact-sm" onClick={() => rotate(token)} />
            </li>
          ))}
        </ul>
        {tokens.length > SHOWN && (
          <Group>
            <Button variant="default" size="compact-sm" onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${tokens.length}`}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

function titleOf({ length }: readonly Token[]): string {
  return length === 1
    ? `1 token expires within ${AHEAD_DAYS} days`
    : `${length} tokens expire within ${AHEAD_DAYS} days`;
}

/** Tokens that expire soon, the next first. Reads all active ones, because the API cannot filter by expiry. */
function useExpiringTokens(): UseQueryResult<readonly Token[]> {
  return useQuery({
    // Of the area `tokens`, so that events and actions invalidate it.
    queryKey: ['tokens.list', 'expiring'],
    queryFn: async ({ signal }) => {
      const found: Token[] = [];
      for await (const token of coordinator.pages('tokens.list', { query: { state: 'active', limit: 200 }, signal })) {
        if (isExpiring(token, Date.now())) found.push(token);
      }
      return found.sort((a, b) => Date.parse(a.expires) - Date.parse(b.expires));
    },
  });
}
