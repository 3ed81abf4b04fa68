import { Button, Group, Text } from '@mantine/core';
import { isWholeMesh, type Node } from '@meshwork/contract';
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
          It forwards to no network.
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
        {route.is_overlapping && <Text size="sm">Overlaps a network of another boundary</Text>}
      </div>
      <Group gap="xs">
        {mayShare && route.is_approved && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => share(route)}>
            {route.is_shared ? 'Stop sharing' : 'Share'}
          </Button>
        )}
        {mayApprove && (
          <Button size="xs" variant="default" loading={isRunning} onClick={() => approve(route)}>
            {route.is_approved ? 'Take back' : 'Approve'}
          </Button>
        )}
      </Group>
    </li>
  );
}

/** Approving is for whoever may change the node; sharing is for those who speak for the whole mesh. */
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
      const lost = `Nobody reaches ${cidr} through ${name} any more.${is_provided ? ' What is open through it breaks, unless another node forwards to it.' : ''}`;
      const won = `Nodes of its own boundary reach ${cidr} through ${name}, as far as the policy lets them.`;
      const approved = is_approved ? routes_approved.filter((one) => one !== cidr) : [...routes_approved, cidr];
      const title = `${is_approved ? 'Take the approval back' : 'Approve'}: ${cidr}`;
      shown(settle(title, is_approved ? lost : won, is_approved, { approved }));
    },
    share: ({ cidr, is_shared }: RouteBehind) => {
      const shared = is_shared ? routes_shared.filter((one) => one !== cidr) : [...routes_shared, cidr];
      const consequence = is_shared
        ? `Nodes of other boundaries no longer reach ${cidr} through ${name}, unless a grant names it by "via".`
        : `The whole mesh reaches ${cidr} through ${name}, as far as the policy lets it. Nodes use a provider of their own boundary first.`;
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
            It reaches through others
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
