import { Text } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './authorities.module.css';
import { AuthorityCard } from './authority-card.tsx';
import { DownloadBundle, DownloadLists, HowToTrust } from './trust.tsx';

/** What signs certificates, and how programs come to trust it. */
export function Authorities() {
  const query = useRead('ca.show');
  const some = (query.data?.body.authorities.length ?? 0) > 0;
  return (
    <Section
      title="Authorities"
      description="Programs that trust the root accept the certificates of the mesh."
      actions={
        some && (
          <>
            <DownloadLists />
            <DownloadBundle />
          </>
        )
      }
    >
      <Loaded query={query}>
        {({ authorities }) =>
          authorities.length === 0 ? (
            <Text size="sm" c="dimmed">
              The mesh has no authority yet. The coordinator makes a root and an intermediate when it starts.
            </Text>
          ) : (
            <>
              <ul className={classes.authorities} aria-label="Authorities">
                {authorities.map((authority) => (
                  <AuthorityCard key={authority.id} authority={authority} />
                ))}
              </ul>
              <HowToTrust />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
