import { Text } from '@mantine/core';
import type { Certificate } from '@meshwork/contract';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import { CertificateState } from '../../ui/state.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { nameOf, PROFILE_WORDS, shortNameOf } from './certificate-words.ts';
import { NodeLinks } from './node-links.tsx';
import { SupersededMark } from './superseded-mark.tsx';

export const CERTIFICATE_COLUMNS: readonly Column<Certificate>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    render: (certificate) => <Name certificate={certificate} />,
  },
  { id: 'profile', header: 'Profile', width: '5rem', priority: 2, render: ({ profile }) => PROFILE_WORDS[profile] },
  {
    id: 'nodes',
    header: 'Nodes',
    width: 'minmax(0, 1.2fr)',
    priority: 3,
    render: (certificate) => <NodeLinks certificate={certificate} />,
  },
  {
    id: 'state',
    header: 'State',
    width: '7rem',
    render: (certificate) => (
      <>
        <CertificateState state={certificate.state} /> <SupersededMark certificate={certificate} />
      </>
    ),
  },
  { id: 'expires', header: 'Expires', width: '5.5rem', render: ({ not_after }) => <Ago at={not_after} /> },
  {
    id: 'requested_by',
    header: 'Requested by',
    width: 'minmax(0, 1.2fr)',
    priority: 2,
    render: ({ requested_by }) => <Actor actor={requested_by} />,
  },
];

function Name({ certificate }: { readonly certificate: Certificate }) {
  const { dns, addresses, uris } = certificate.names;
  const others = dns.length + addresses.length + uris.length - 1;
  return (
    <>
      <AnchorLink to="/certificates/$id" params={{ id: certificate.id }} fw={500} title={nameOf(certificate)}>
        {shortNameOf(certificate)}
      </AnchorLink>
      {others > 0 && (
        <Text span size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {' '}
          and {others} more
        </Text>
      )}
    </>
  );
}
