import type { Token } from '@meshwork/contract';
import { useRead } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/section.tsx';
import { ActLines } from './act-lines.tsx';

/** Ours: the last ones; the rest is in the audit trail itself. */
const SHOWN = 20;

/** What was done with the token, and what was done to it. */
export function TokenActs({ token: { id } }: { readonly token: Token }) {
  const by = useRead('audit.list', { query: { token: id, limit: SHOWN } });
  const to = useRead('audit.list', { query: { target: id, limit: SHOWN } });
  return (
    <>
      <Section
        title="Activity"
        description="Changes and refused requests. Reads are not recorded."
        actions={
          <AnchorLink to="/audit" search={{ token: id }} size="sm">
            View in audit trail
          </AnchorLink>
        }
      >
        <Loaded query={by}>{({ items }) => <ActLines entries={items} say="target" none="No entries." />}</Loaded>
      </Section>
      <Section
        title="History"
        actions={
          <AnchorLink to="/audit" search={{ target: id }} size="sm">
            View in audit trail
          </AnchorLink>
        }
      >
        <Loaded query={to}>{({ items }) => <ActLines entries={items} say="actor" none="No entries." />}</Loaded>
      </Section>
    </>
  );
}
