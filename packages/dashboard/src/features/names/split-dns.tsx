import { Text } from '@mantine/core';
import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useRead } from '../../api/queries.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/section.tsx';
import { MonoLines } from './mono-lines.tsx';
import { resolversByDomain } from './routing-domains.ts';

/** Domains outside of the mesh that have resolvers of their own. Shown to those who may read the settings. */
export function SplitDns() {
  const { scope } = useSession().user;
  const permitted = useMay()('settings:read') && isWholeMesh(scope);
  const query = useRead('settings.show', undefined, { enabled: permitted });
  if (!permitted) return null;
  return (
    <Section
      title="Split DNS"
      description="Domains that nodes resolve by resolvers of their own, such as those of an office behind a gateway."
      actions={
        <AnchorLink to="/settings" size="sm">
          Open settings
        </AnchorLink>
      }
    >
      <Loaded query={query}>
        {({ dns }) => {
          const domains = [...resolversByDomain(dns.routing_domains)];
          return domains.length === 0 ? (
            <Text size="sm" c="dimmed">
              None. Names outside of the mesh stay with the resolvers that each machine has.
            </Text>
          ) : (
            <Facts items={domains.map(([label, resolvers]) => ({ label, value: <MonoLines lines={resolvers} /> }))} />
          );
        }}
      </Loaded>
    </Section>
  );
}
