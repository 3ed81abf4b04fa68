import type { Node } from '@meshwork/contract';
import { AuditSection } from '../../../mesh/audit-section.tsx';
import { May } from '../../../session/session.tsx';
import { NodeOperations } from '../operations/node-operations.tsx';
import { NodeAccess } from './node-access.tsx';
import classes from './node-detail.module.css';
import { NodeIdentity } from './node-identity.tsx';
import { NodeIngresses } from './node-ingresses.tsx';
import { NodeLinks } from './node-links.tsx';
import { NodeNetwork } from './node-network.tsx';
import { NodePosture } from './node-posture.tsx';
import { NodeRoutes } from './node-routes.tsx';
import { NodeServices } from './node-services.tsx';
import { StateNotice } from './state-notice.tsx';

interface NodeDetailProps {
  readonly node: Node;
  readonly etag: string | undefined;
}

/** What is going on with the node on one side, what it is on the other. */
export function NodeDetail({ node, etag }: NodeDetailProps) {
  const isThere = node.state !== 'removed';
  return (
    <>
      <StateNotice node={node} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <May permission="operations:read">
            <NodeOperations node={node} />
          </May>
          {isThere && (
            <>
              <NodePosture node={node} />
              <May permission="peers:read">
                <NodeLinks node={node} />
              </May>
            </>
          )}
          <May permission="audit:read">
            <AuditSection target={node.id} />
          </May>
        </div>
        <div className={classes.column}>
          <NodeIdentity node={node} />
          {isThere && (
            <>
              <NodeNetwork node={node} />
              <NodeAccess node={node} />
              <NodeServices node={node} />
              <May permission="ingress:read">
                <NodeIngresses node={node} />
              </May>
              <NodeRoutes node={node} etag={etag} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
