import { useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';

/** A node by its name, of which only the id is known. Those who may not see it read the id. */
export function NodeLink({ id }: { readonly id: string }) {
  const { data } = useRead('nodes.show', { params: { id } }, { enabled: useMay()('nodes:read') });
  if (data === undefined) return id;
  return (
    <AnchorLink to="/nodes/$id" params={{ id }}>
      {data.body.name}
    </AnchorLink>
  );
}
