import { Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { NodeState } from '../../ui/state.tsx';
import { NodeAsks } from './asks/node-asks-menu.tsx';
import { NodeDetail } from './detail/node-detail.tsx';
import { DriftMark } from './drift-mark.tsx';

export default function NodePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('nodes.show', { params: { id } });
  const node = query.data?.body;
  return (
    <Page
      title={node?.name ?? 'Node'}
      back={{ to: '/nodes', label: 'Nodes' }}
      subtitle={
        node !== undefined && (
          <Group gap="xs" mt={4}>
            <NodeState state={node.state} />
            {node.drift_since !== null && <DriftMark since={node.drift_since} />}
            <span>
              changed <Ago at={node.state_since} />
            </span>
          </Group>
        )
      }
      actions={node !== undefined && <NodeAsks node={node} etag={query.data?.etag ?? undefined} />}
    >
      <Loaded query={query}>{(body, { etag }) => <NodeDetail node={body} etag={etag ?? undefined} />}</Loaded>
    </Page>
  );
}
