import type { Link, LinkView } from '@meshwork/contract';
import { PATH_WORDS } from '../../../mesh/link-paths.ts';
import { span } from '../../../ui/ago.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { bytesText, msText } from '../../../ui/quantities.ts';
import { LinkState } from '../../../ui/state.tsx';
import type { Column } from '../../../ui/virtual-table.tsx';
import classes from './link-columns.module.css';

export const LINK_COLUMNS: readonly Column<Link>[] = [
  {
    id: 'peer',
    header: 'Peer',
    width: 'minmax(0, 1.2fr)',
    render: ({ b }) => (
      <AnchorLink to="/nodes/$id" params={{ id: b.id }} inherit>
        {b.name}
      </AnchorLink>
    ),
  },
  { id: 'state', header: 'State', width: '7rem', render: ({ state }) => <LinkState state={state} /> },
  {
    id: 'path',
    header: 'Path',
    priority: 2,
    render: ({ a, b, path }) => (
      <AnchorLink
        to="/links/$a/$b"
        params={{ a: a.name, b: b.name }}
        aria-label={`${PATH_WORDS[path]}: link with ${b.name}`}
      >
        {PATH_WORDS[path]}
      </AnchorLink>
    ),
  },
  {
    id: 'here',
    header: 'This side',
    width: 'minmax(0, 1.6fr)',
    priority: 2,
    render: ({ a_view }) => <SideView view={a_view} />,
  },
  {
    id: 'there',
    header: 'Other side',
    width: 'minmax(0, 1.6fr)',
    priority: 2,
    render: ({ b_view }) => <SideView view={b_view} />,
  },
];

/** What one end says of a link. */
function SideView({ view }: { readonly view: LinkView | null }) {
  if (view === null) return <span className={classes.quiet}>Not reported</span>;
  const { path, endpoint, handshake_age_s, rtt_ms, rx_bytes, tx_bytes } = view;
  return (
    <div className={classes.side}>
      <span className={classes.mono}>{endpoint ?? (path === 'none' ? 'No endpoint' : 'Endpoint not reported')}</span>
      <span>
        {handshake_age_s === null ? 'No handshake' : `Handshake ${span(handshake_age_s)} ago`}
        {rtt_ms !== null && `, ${msText(rtt_ms)}`}
      </span>
      <span className={classes.quiet}>
        {bytesText(rx_bytes)} in, {bytesText(tx_bytes)} out
      </span>
    </div>
  );
}
