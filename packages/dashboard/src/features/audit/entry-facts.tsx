import type { AuditEntry, PanelAuditEntry } from '@meshwork/contract';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Outcome } from './outcome.tsx';
import { Target } from './target.tsx';

/** Of either trail: that of the panel knows fewer things. */
type AnyEntry = PanelAuditEntry &
  Partial<Pick<AuditEntry, 'count' | 'first_at' | 'last_at' | 'token' | 'scope' | 'revision'>>;

/** Everything that an entry says, apart from what it changed. */
export function EntryFacts({ entry }: { readonly entry: AnyEntry }) {
  const { token, scope, count = 1, revision } = entry;
  const items: readonly (Fact | null)[] = [
    {
      label: 'When',
      value: (
        <>
          <Moment at={entry.at} /> (<Ago at={entry.at} />)
        </>
      ),
    },
    { label: 'Outcome', value: <Outcome outcome={entry.outcome} code={entry.code} count={count} /> },
    entry.code === null ? null : { label: 'Reason', value: <code>{entry.code}</code> },
    entry.first_at === undefined || entry.last_at === undefined
      ? null
      : {
          label: 'Between',
          value: (
            <>
              <Moment at={entry.first_at} /> and <Moment at={entry.last_at} />
            </>
          ),
        },
    { label: 'Who', value: <Actor actor={entry.actor} /> },
    entry.actor.id === null ? null : { label: 'Actor ID', value: <Copyable value={entry.actor.id} /> },
    token === undefined || token === null
      ? null
      : {
          label: 'Token',
          value: (
            <AnchorLink to="/tokens/$id" params={{ id: token }} inherit ff="monospace">
              {token}
            </AnchorLink>
          ),
        },
    { label: 'Target', value: <Target target={entry.target} /> },
    scope === undefined ? null : { label: 'Boundary', value: <ScopeText scope={scope} /> },
    entry.detail === null ? null : { label: 'Detail', value: entry.detail },
    entry.address === null ? null : { label: 'From', value: <Copyable value={entry.address} /> },
    entry.request_id === null
      ? null
      : {
          label: 'Request',
          value: <Copyable value={entry.request_id} />,
          help: 'The same ID is in the response and in the log of the coordinator or panel.',
        },
    { label: 'Entry', value: <Copyable value={entry.id} /> },
    {
      label: 'Position in chain',
      value: `${entry.seq.toLocaleString()}${revision === undefined ? '' : `, mesh revision ${revision.toLocaleString()}`}`,
    },
    entry.hash === null ? null : { label: 'Hash', value: <Copyable value={entry.hash} /> },
  ];
  return <Facts items={items.filter((one) => one !== null)} />;
}
