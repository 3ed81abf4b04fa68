import { Button, Group, Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useAction } from '../../../api/actions.ts';
import { useMay, useSession } from '../../../session/session.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { Section } from '../../../ui/section.tsx';
import { askOf } from '../asks/node-asks.ts';
import classes from './node-detail.module.css';
import { acceptWords, type RouteBehind, routesBehind, routeWords } from './routes-of.ts';

interface NodeRoutesProps {
  readonly node: Node;
  readonly etag: string | undefined;
}

/** Networks behind the node, with their approval, and those that it reaches through others. */
export function NodeRoutes({ node, etag }: NodeRoutesProps) {
  const behind = routesBehind(node);
  return (
    <Section title="Routes">
      {behind.length === 0 ? (
        <Text size="sm" c="dimmed">
          No routes.
        </Text>
      ) : (
        <ul className={classes.lines}>
          {behind.map((route) => (
            <BehindNode key={route.cidr} node={node} etag={etag} route={route} />
          ))}
        </ul>
      )}
      {node.routes_refused.map(({ cidr, reason }) => (
        <Text key={cidr} size="sm">
          Refused: {reason}.
        </Text>
      ))}
      <ThroughOthers node={node} />
    </Section>
  );
}

function BehindNode({ node, etag, route }: NodeRoutesProps & { readonly route: RouteBehind }) {
  const { mayApprove, mayShare, isRunning, approve, share } = useRouteActions(node, etag);
  return (
    <li className={classes.line}>
      <div>
        <span className={classes.mono}>{route.cidr}</span>
        <Text size="sm" c="dimmed">
          {routeWords(route)}
        </Text>
        {route.is_overlapping && <Text size="sm">Overlaps a route of another boundary</Text>}
      </div>
      <Group gap="xs">
        {mayShare && route.is_approved && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => share(route)}>
            {route.is_shared ? 'Stop sharing' : 'Share'}
          </Button>
        )}
        {mayApprove && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => approve(route)}>
            {route.is_approved ? 'Revoke' : 'Approve'}
          </Button>
        )}
      </Group>
    </li>
  );
}

/** Approving needs permission to change the node; sharing also needs the whole mesh as boundary. */
function useRouteActions({ id, name, state, routes_approved, routes_shared }: Node, etag: string | undefined) {
  const ask = askOf('approve_routes');
  const { run, isRunning } = useAction('nodes.approve_routes', { touches: ['operations', 'overview', 'audit'] });
  const { scope } = useSession().user;
  const mayApprove = useMay()(ask.permission) && ask.states.includes(state);
  const confirm = useConfirm();
  const settle = async (
    title: string,
    consequence: string,
    danger: boolean,
    body: Parameters<typeof run>[0]['body'],
  ) => {
    const [action = ''] = title.split(':');
    if (!(await confirm({ title, consequence, action, danger }))) return;
    await run({ params: { id }, body, if_match: etag });
  };
  const shown = (settling: Promise<void>) => void settling.catch(() => undefined /* shown by the action */);
  return {
    mayApprove,
    mayShare: mayApprove && isWholeMesh(scope),
    isRunning,
    approve: ({ cidr, is_approved, is_provided }: RouteBehind) => {
      const lost = `Nodes can no longer reach ${cidr} through ${name}.${is_provided ? ' Open connections break, unless another node provides the route.' : ''}`;
      const won = `Nodes in the same boundary can reach ${cidr} through ${name}, if the policy allows it.`;
      const approved = is_approved ? routes_approved.filter((one) => one !== cidr) : [...routes_approved, cidr];
      const title = `${is_approved ? 'Revoke approval' : 'Approve'}: ${cidr}`;
      shown(settle(title, is_approved ? lost : won, is_approved, { approved }));
    },
    share: ({ cidr, is_shared }: RouteBehind) => {
      const shared = is_shared ? routes_shared.filter((one) => one !== cidr) : [...routes_shared, cidr];
      const consequence = is_shared
        ? `Nodes of other boundaries can no longer reach ${cidr} through ${name}, unless a grant names it with “via”.`
        : `The whole mesh can reach ${cidr} through ${name}, if the policy allows it. Nodes prefer a provider in their own boundary.`;
      const title = `${is_shared ? 'Stop sharing' : 'Share with the whole mesh'}: ${cidr}`;
      shown(settle(title, consequence, is_shared, { approved: [...routes_approved], shared }));
    },
  };
}

function ThroughOthers({ node: { routes, accept_routes } }: { readonly node: Node }) {
  const accepts = acceptWords(accept_routes);
  return (
    <>
      {accepts !== null && (
        <Text size="sm" c="dimmed">
          {accepts}
        </Text>
      )}
      {routes.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            Routes it uses
          </Text>
          <ul className={classes.lines}>
            {routes.map((route) => (
              <li key={route} className={classes.mono}>
                {route}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
