import { Alert, Text } from '@mantine/core';
import type { Authority } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/section.tsx';
import { RotateButton } from '../rotation/rotate-button.tsx';
import { RotationCard } from '../rotation/rotation-card.tsx';
import classes from './authorities.module.css';
import { AuthorityCard } from './authority-card.tsx';
import { RetiredAuthorities } from './retired-authorities.tsx';
import { DownloadBundle, DownloadLists, HowToTrust } from './trust.tsx';

/** New intermediates are signed elsewhere then. */
function isRootOutside(authorities: readonly Authority[]): boolean {
  return authorities.some(({ role, state, key }) => role === 'root' && state === 'active' && key === 'outside');
}

/** What signs certificates, how programs come to trust it, and the rotation under way. */
export function Authorities() {
  const query = useRead('ca.show');
  const { authorities: all = [], rotation = null } = query.data?.body ?? {};
  return (
    <>
      {rotation !== null && <RotationCard rotation={rotation} />}
      <Section
        title="Authorities"
        description="Programs that trust the root accept the certificates of the mesh."
        actions={
          all.length > 0 && (
            <>
              {rotation === null && <RotateButton isRootOutside={isRootOutside(all)} />}
              <DownloadLists />
              <DownloadBundle />
            </>
          )
        }
      >
        <Loaded query={query}>
          {({ authorities, uncertified_domains: domains }) =>
            authorities.length === 0 ? (
              <Text size="sm" c="dimmed">
                The mesh has no authority yet. The coordinator makes a root and an intermediate when it starts.
              </Text>
            ) : (
              <>
                {domains.length > 0 && (
                  <Alert color="yellow" icon={<IconAlertTriangle size={18} aria-hidden />}>
                    The root does not certify {domains.join(', ')}. Rotate the root to make one that does.
                  </Alert>
                )}
                <ul className={classes.authorities} aria-label="Authorities">
                  {authorities
                    .filter(({ state }) => state !== 'retired')
                    .map((authority) => (
                      <AuthorityCard key={authority.id} authority={authority} />
                    ))}
                </ul>
                <RetiredAuthorities authorities={authorities.filter(({ state }) => state === 'retired')} />
                <HowToTrust />
              </>
            )
          }
        </Loaded>
      </Section>
    </>
  );
}
