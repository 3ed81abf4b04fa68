import { Alert, Group, Text } from '@mantine/core';
import type { LinkOverTime } from '@meshwork/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { PATH_WORDS } from '../../mesh/link-paths.ts';
import { May } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { LinkState } from '../../ui/state.tsx';
import { LinkEnd } from './link-end.tsx';
import classes from './links.module.css';
import { PathsOverTime } from './paths-over-time.tsx';

/** Ours: paths change without an event. */
const LOOK_EVERY_MS = 5_000;

export default function LinkPage() {
  const { a = '', b = '' } = useParams({ strict: false });
  const query = useRead('peers.show', { params: { a, b } }, { every_ms: LOOK_EVERY_MS });
  const link = query.data?.body;
  return (
    <Page
      title={link === undefined ? 'Link' : `${link.a.name} and ${link.b.name}`}
      back={{ to: '/topology', label: 'Topology' }}
      subtitle={
        link !== undefined && (
          <Group gap="xs" mt={4}>
            <LinkState state={link.state} />
            <span>{PATH_WORDS[link.path]}</span>
          </Group>
        )
      }
      actions={
        link !== undefined && (
          <May permission="acls:read">
            <ButtonLink to="/reach" search={{ from: link.a.name, to: link.b.name }} variant="default">
              What may pass
            </ButtonLink>
          </May>
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <>
            <Why link={shown} />
            <div className={classes.ends}>
              <LinkEnd end={shown.a} other={shown.b} view={shown.a_view} />
              <LinkEnd end={shown.b} other={shown.a} view={shown.b_view} />
            </div>
            <PathsOverTime link={shown} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Why({ link: { why, a_view, b_view } }: { readonly link: LinkOverTime }) {
  if (why !== null) {
    return (
      <Alert color="blue" variant="light" icon={<IconInfoCircle aria-hidden />} title="Why it is relayed">
        <Text size="sm">{why}</Text>
      </Alert>
    );
  }
  if (a_view !== null || b_view !== null) return null;
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle aria-hidden />} title="Neither end reports this link">
      <Text size="sm">
        Nodes have links with the peers that the policy lets them talk to. A node that is offline reports none.
      </Text>
    </Alert>
  );
}
