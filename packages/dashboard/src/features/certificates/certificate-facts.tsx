import type { Certificate } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { Actor } from '../../ui/actor.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './certificate-facts.module.css';
import { nodeNamesIn, PROFILE_WORDS, REASON_WORDS } from './certificate-words.ts';
import { NodeLinks } from './node-links.tsx';

interface CertificateProps {
  readonly certificate: Certificate;
}

/** Who its holder is. */
export function CertificateNames({ certificate }: CertificateProps) {
  const { dns, addresses, uris } = certificate.names;
  const all = [
    ...linesOf('DNS names', dns),
    ...linesOf('IP addresses', addresses),
    ...linesOf('SPIFFE IDs', uris),
    {
      label: certificate.nodes.length === 1 ? 'Node' : 'Nodes',
      value: <NodesOf certificate={certificate} />,
      help: 'The nodes that the names belong to. When one of them is removed or quarantined, the certificate is revoked.',
    },
  ];
  return (
    <Section title="Holder">
      <Facts items={all} />
    </Section>
  );
}

function linesOf(label: string, values: readonly string[]): readonly Fact[] {
  if (values.length === 0) return [];
  const lines = (
    <ul className={classes.lines}>
      {values.map((value) => (
        <li key={value}>
          <Copyable value={value} />
        </li>
      ))}
    </ul>
  );
  return [{ label, value: lines }];
}

function NodesOf({ certificate }: CertificateProps) {
  const { nodes } = certificate;
  const node = nodes.length === 1 ? (nodeNamesIn(certificate)[0] ?? nodes[0]) : undefined;
  return (
    <span className={classes.nodes}>
      <span>
        <NodeLinks certificate={certificate} />
      </span>
      {node !== undefined && (
        <AnchorLink to="/certificates" search={{ node }}>
          All certificates of this node
        </AnchorLink>
      )}
    </span>
  );
}

export function CertificateFacts({ certificate }: CertificateProps) {
  const { profile, state, current, key_type, serial, fingerprint, renews_at, revoked, requested_by } = certificate;
  const items: readonly (Fact | null)[] = [
    revoked === null
      ? null
      : {
          label: 'Revoked',
          value: (
            <>
              <Moment at={revoked.at} /> by <Actor actor={revoked.by} />
            </>
          ),
        },
    revoked === null ? null : { label: 'Reason', value: REASON_WORDS[revoked.reason] },
    { label: 'Profile', value: PROFILE_WORDS[profile], help: PROFILE_HELP[profile] },
    state !== 'valid' ? null : { label: 'Current', value: currentWords(profile, current) },
    { label: 'Valid from', value: <Moment at={certificate.not_before} /> },
    {
      label: state === 'expired' ? 'Expired' : 'Expires',
      value: (
        <>
          <Moment at={certificate.not_after} /> (<Ago at={certificate.not_after} />)
        </>
      ),
    },
    state !== 'valid' || !current
      ? null
      : { label: 'Renewal', value: renews_at === null ? 'Up to its holder' : <Renewal at={renews_at} /> },
    { label: 'Requested by', value: <Actor actor={requested_by} /> },
    { label: 'Issuer', value: <Issuer id={certificate.issuer} /> },
    { label: 'Key', value: key_type },
    { label: 'Serial number', value: <Copyable value={serial} /> },
    { label: 'SHA-256 fingerprint', value: <Copyable value={fingerprint} /> },
    { label: 'ID', value: <Copyable value={certificate.id} /> },
  ];
  return (
    <Section title="Details">
      <Facts items={items.filter((one) => one !== null)} />
    </Section>
  );
}

const PROFILE_HELP: Readonly<Record<Certificate['profile'], string>> = {
  node: 'The identity of a node, as server and as client. Its agent renews it.',
  server: 'For a service that others connect to.',
  client: 'For a program that connects to services.',
  ingress: 'For gateways of an ingress. Deleting the ingress revokes it.',
};

function currentWords(profile: Certificate['profile'], current: boolean): string {
  if (profile === 'node') return current ? 'Yes, the node uses it' : 'No, the node has a newer one';
  return current ? 'Yes, the newest with these names' : 'No, there is a newer one with these names';
}

function Renewal({ at }: { readonly at: string }) {
  return (
    <>
      By its node, <Ago at={at} /> (<Moment at={at} />)
    </>
  );
}

/** Authorities are few, and have names that people know. */
function Issuer({ id }: { readonly id: string }) {
  const { data } = useRead('ca.show');
  return <AnchorLink to="/certificates">{data?.body.authorities.find((one) => one.id === id)?.name ?? id}</AnchorLink>;
}
