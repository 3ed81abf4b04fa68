import { Group, ScrollArea, Stack, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { TokenState } from '../ui/state.tsx';
import { ScopeText } from './scope-text.tsx';

interface TokenLinesProps {
  readonly tokens: readonly Token[];
  readonly label: string;
  /** Inside a dialogue a long list scrolls by itself, so that its buttons stay in reach. */
  readonly scrolls?: boolean;
  /** False where the page behind a question must stay, and there is no way to leave it. */
  readonly links?: boolean;
}

/** A few tokens, a line each. */
export function TokenLines({ tokens, label, scrolls = false, links = true }: TokenLinesProps) {
  const lines = (
    <Stack component="ul" gap="xs" p={0} m={0} aria-label={label} style={{ listStyle: 'none' }}>
      {tokens.map(({ id, name, role, scope, state }) => (
        <Group component="li" key={id} gap="0 var(--mantine-spacing-xs)" wrap="wrap">
          {links ? (
            <AnchorLink to="/tokens/$id" params={{ id }} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </AnchorLink>
          ) : (
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
          )}
          <TokenState state={state} />
          <Text size="sm" c="dimmed" component="div">
            {role}, <ScopeText scope={scope} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
  if (!scrolls) return lines;
  return (
    <ScrollArea.Autosize mah="12rem" type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      {lines}
    </ScrollArea.Autosize>
  );
}
