import { useMay } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';

/** A relay by its name, which leads to its page where the reader may open it. */
export function RelayLink({ name }: { readonly name: string }) {
  if (!useMay()('relays:read')) return name;
  return (
    <AnchorLink to="/relays/$name" params={{ name }}>
      {name}
    </AnchorLink>
  );
}
