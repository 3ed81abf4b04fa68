import { useParams } from '@tanstack/react-router';
import { useRead } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { OperationCard } from './operation-card.tsx';
import { KIND_WORDS } from './operation-words.ts';

export default function OperationPage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('operations.show', { params: { id } });
  const operation = query.data?.body;
  return (
    <Page
      title={operation === undefined ? 'Operation' : KIND_WORDS[operation.kind]}
      back={{ to: '/nodes/operations', label: 'Operations' }}
      subtitle={
        operation !== undefined && (
          <>
            of{' '}
            <AnchorLink to="/nodes/$id" params={{ id: operation.node }} inherit underline="always">
              {operation.node_name}
            </AnchorLink>
          </>
        )
      }
    >
      <Loaded query={query}>{(body) => <OperationCard operation={body} isWhole />}</Loaded>
    </Page>
  );
}
