import type { Certificate } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { nodeNamesIn } from './certificate-words.ts';

/** The nodes of a certificate, by name. */
export function NodeLinks({ certificate }: { readonly certificate: Pick<Certificate, 'nodes' | 'names'> }) {
  const { nodes } = certificate;
  const names = nodeNamesIn(certificate);
  const [only] = nodes;
  const [name] = names;
  // With several it does not say which is which. That is rare enough to ask.
  if (only !== undefined && nodes.length === 1 && names.length === 1 && name !== undefined) {
    return <NodeLink id={only} name={name} />;
  }
  if (nodes.length === 0) return 'None';
  return nodes.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <LookedUpNode id={id} />
    </span>
  ));
}

function LookedUpNode({ id }: { readonly id: string }) {
  const enabled = useMay()('nodes:read');
  const { data } = useRead('nodes.show', { params: { id } }, { enabled });
  return <NodeLink id={id} name={data?.body.name ?? id} />;
}

export function NodeLink({ id, name }: { readonly id: string; readonly name: string }) {
  const mayRead = useMay()('nodes:read');
  if (!mayRead) return name;
  return (
    <AnchorLink to="/nodes/$id" params={{ id }}>
      {name}
    </AnchorLink>
  );
}
