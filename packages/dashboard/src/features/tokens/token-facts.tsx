import type { Token } from '@meshwork/contract';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { useMay, useSession } from '../../session/session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import { TokenState } from '../../ui/state.tsx';
import { mayRotate } from './rotate/may-rotate.ts';

export function TokenFacts({ token }: { readonly token: Token }) {
  const { permissions } = useSession();
  const mayReadRoles = useMay()('roles:read');
  const rotation = mayRotate(token, permissions);
  const name = token.role;
  const items: readonly (Fact | null)[] = [
    { label: 'State', value: <TokenState state={token.state} /> },
    { label: 'ID', value: <Copyable value={token.id} />, help: 'Identifies the token. Not a secret.' },
    {
      label: 'Role',
      value: mayReadRoles ? (
        <AnchorLink to="/roles/$name" params={{ name }} size="sm">
          {name}
        </AnchorLink>
      ) : (
        name
      ),
    },
    {
      label: 'Boundary',
      value: <ScopeText scope={token.scope} />,
      help: 'Team, surface and environment that it can access.',
    },
    token.tags.length === 0
      ? null
      : {
          label: 'Tags it can set',
          value: token.tags.join(', '),
          help: 'Owned tags that it can set on nodes in its boundary.',
        },
    token.on_behalf_of === null ? null : { label: 'On behalf of', value: token.on_behalf_of.name },
    {
      label: 'Expires',
      value: (
        <>
          <Moment at={token.expires} /> (<Ago at={token.expires} />)
        </>
      ),
    },
    token.retires_at === null
      ? null
      : {
          label: 'Retires',
          value: (
            <>
              <Moment at={token.retires_at} /> (<Ago at={token.retires_at} />)
            </>
          ),
          help: 'Rotated: the secret is valid until then.',
        },
    token.revoked_at === null ? null : { label: 'Revoked', value: <Moment at={token.revoked_at} /> },
    token.uses_left === null ? null : { label: 'Enrolments left', value: token.uses_left.toLocaleString() },
    {
      label: 'Last used',
      value: token.last_used_at === null ? unusedWords(token) : <Ago at={token.last_used_at} />,
    },
    { label: 'Created', value: <Moment at={token.created_at} /> },
    { label: 'Created by', value: <Maker maker={token.created_by} /> },
    token.state === 'active' && !rotation.yes && permissions.includes('tokens:rotate')
      ? { label: 'Rotation', value: rotation.why }
      : null,
  ];
  return (
    <Section title="Details">
      <Facts items={items.filter((one) => one !== null)} />
    </Section>
  );
}

/** A token or a person that made it has a page of its own. */
function Maker({ maker }: { readonly maker: Token['created_by'] }) {
  const { kind, id } = maker;
  const mayReadPeople = useMay()('users:read');
  if (kind === 'token' && id !== null) {
    return (
      <AnchorLink to="/tokens/$id" params={{ id }} size="sm">
        <Actor actor={maker} />
      </AnchorLink>
    );
  }
  if (kind === 'person' && id !== null && mayReadPeople) {
    return (
      <AnchorLink to="/people/$id" params={{ id }} size="sm">
        <Actor actor={maker} />
      </AnchorLink>
    );
  }
  return <Actor actor={maker} />;
}

function unusedWords({ on_behalf_of }: Token): string {
  return on_behalf_of === null ? 'Never' : 'Not recorded for people';
}
