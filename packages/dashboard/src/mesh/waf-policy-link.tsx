import { useRead } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';

/** A WAF policy by its name, of which only the id is known. Those who may not see it read the id. */
export function WafPolicyLink({ id }: { readonly id: string | null }) {
  const enabled = useMay()('waf:read') && id !== null;
  const { data } = useRead('waf.show', { params: { id: id ?? '' } }, { enabled });
  if (id === null) return 'None';
  if (data === undefined) return id;
  return (
    <AnchorLink to="/waf/$id" params={{ id }}>
      {data.body.name}
    </AnchorLink>
  );
}
