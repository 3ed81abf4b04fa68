import type { Node } from '@meshwork/contract';
import { May } from '../../../session/session.tsx';
import { NodeOperations } from '../operations/node-operations.tsx';
import { NodeAccess } from './node-access.tsx';
import { NodeAudit } from './node-audit.tsx';
import classes from './node-detail.module.css';
import { NodeIdentity } from './node-identity.tsx';
import { NodeLinks } from './node-links.tsx';
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
            <NodeAudit node={node} />
          </May>
        </div>
        <div className={classes.column}>
          <NodeIdentity node={node} />
          {isThere && (
            <>
              <NodeAccess node={node} />
              <NodeServices node={node} />
              <NodeRoutes node={node} etag={etag} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
