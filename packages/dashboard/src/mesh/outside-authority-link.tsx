import { useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';

/** An outside authority by its name, of which only the id is known. Those who may not see it read the id. */
export function OutsideAuthorityLink({ id }: { readonly id: string }) {
  const enabled = useMay()('outside_authorities:read');
  const { data } = useRead('outside_authorities.show', { params: { id } }, { enabled });
  if (data === undefined) return id;
  return (
    <AnchorLink to="/outside-authorities/$id" params={{ id }}>
      {data.body.name}
    </AnchorLink>
  );
}
