import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { IconClockExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import classes from './expiring-band.module.css';
import { AHEAD_DAYS } from './is-expiring.ts';
import { RotateButton } from './rotate/rotate-button.tsx';
import { RotateDialog } from './rotate/rotate-dialog.tsx';
import { useExpiringTokens } from './use-expiring-tokens.ts';

/** Ours: more than these are shown when asked for. */
const SHOWN = 3;

/** What stops working soon unless somebody rotates it. Nothing at all when there is none; the list below has its own errors. */
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
          What uses them stops working then. Rotating gives a new secret; the old one stays good for a while.
        </Text>
        <ul className={classes.tokens}>
          {shown.map((token) => (
            <li key={token.id} className={classes.token}>
              <span className={classes.name}>
                <AnchorLink to="/tokens/$id" params={{ id: token.id }} c="inherit" fw={500} underline="always">
                  {token.name}
                </AnchorLink>{' '}
                ends <Ago at={token.expires} />
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
