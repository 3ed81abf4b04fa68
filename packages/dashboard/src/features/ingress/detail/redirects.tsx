import type { Ingress } from '@meshwork/contract';
import { Section } from '../../../ui/section.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { REDIRECT_WORDS } from '../redirect-words.ts';

type Redirect = Ingress['redirects'][number];

const COLUMNS: readonly Column<Redirect>[] = [
  {
    id: 'path',
    header: 'Path',
    width: 'minmax(0, 0.8fr)',
    render: ({ path }) => <span className={classes.mono}>{path}</span>,
  },
  {
    id: 'to',
    header: 'Redirects to',
    width: 'minmax(0, 2fr)',
    render: ({ to, keep }) => (
      <>
        <span className={classes.mono}>{to}</span>
        <span className={classes.below}>{keep ? 'Rest of the path and query kept' : 'Always this address'}</span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: 'minmax(0, 1.2fr)',
    render: ({ status }) => (
      <>
        {status}
        <span className={classes.below}>{REDIRECT_WORDS[status]}</span>
      </>
    ),
  },
];

/** Paths from which clients are sent elsewhere. Most ingresses have none, and no such section. */
export function Redirects({ ingress: { redirects } }: { readonly ingress: Ingress }) {
  if (redirects.length === 0) return null;
  return (
    <Section title="Redirects" description="Requests that do not reach a service.">
      <VirtualTable<Redirect>
        label="Redirects"
        rows={redirects}
        rowId={({ path }) => path}
        columns={COLUMNS}
        height="26rem"
        empty={null}
      />
    </Section>
  );
}
