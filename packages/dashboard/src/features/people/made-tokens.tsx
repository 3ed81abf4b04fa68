import { List, Text } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/section.tsx';
import { TokenState } from '../../ui/state.tsx';

/** Ours: whoever made more than this has a script, and its tokens are found by their names. */
const SHOWN = 100;

/** The tokens that somebody made and that still work. A token is nobody's: it goes on when its maker is gone. */
export function useMadeTokens(user: string) {
  const query = { made_by: user, limit: SHOWN };
  return useRead('tokens.list', { query }, { enabled: useMay()('tokens:read') });
}

export function workingOf(tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(({ state }) => state === 'active' || state === 'retiring');
}

export function MadeTokens({ user }: { readonly user: string }) {
  const made = useMadeTokens(user);
  if (!useMay()('tokens:read')) return null;
  return (
    <Section
      title="Tokens"
      description="Those that they made, also with a token they made, and that still work. They go on when the person is gone."
    >
      <Loaded query={made}>
        {({ items }) => {
          const working = workingOf(items);
          if (working.length === 0) return <Text c="dimmed">None.</Text>;
          return (
            <List listStyleType="none" spacing="xs" size="sm">
              {working.map(({ id, name, role, state }) => (
                <List.Item key={id}>
                  <AnchorLink to="/tokens/$id" params={{ id }} fw={500}>
                    {name}
                  </AnchorLink>{' '}
                  {role} <TokenState state={state} />
                </List.Item>
              ))}
            </List>
          );
        }}
      </Loaded>
    </Section>
  );
}
