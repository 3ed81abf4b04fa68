import { Button, Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { useAction } from '../../../api/actions.ts';
import { useMay } from '../../../session/session.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { Section } from '../../../ui/section.tsx';
import { askOf } from '../asks/node-asks.ts';
import classes from './node-detail.module.css';
import { type RouteBehind, routesBehind, routeWords } from './routes-of.ts';

interface NodeRoutesProps {
  readonly node: Node;
  readonly etag: string | undefined;
}

/** Networks behind the node, with their approval, and those that it reaches through others. */
export function NodeRoutes({ node, etag }: NodeRoutesProps) {
  const ask = askOf('approve_routes');
  const approve = useAction('nodes.approve_routes', { touches: ['operations', 'overview', 'audit'] });
  const mayWrite = useMay()(ask.permission) && ask.states.includes(node.state);
  const confirm = useConfirm();
  const behind = routesBehind(node);
  const change = async ({ cidr, is_approved, is_provided }: RouteBehind) => {
    const action = is_approved ? 'Take the approval back' : 'Approve';
    const consequence = is_approved
      ? `Nobody reaches ${cidr} through ${node.name} any more.${is_provided ? ' What is open through it breaks, unless another node forwards to it.' : ''}`
      : `Peers reach ${cidr} through ${node.name}, as far as the policy lets them.`;
    if (!(await confirm({ title: `${action}: ${cidr}`, consequence, action, danger: is_approved }))) return;
    const approved = is_approved ? node.routes_approved.filter((one) => one !== cidr) : [...node.routes_approved, cidr];
    await approve.run({ params: { id: node.id }, body: { approved }, if_match: etag });
  };
  return (
    <Section title="Routes">
      {behind.length === 0 ? (
        <Text size="sm" c="dimmed">
          It forwards to no network.
        </Text>
      ) : (
        <ul className={classes.lines}>
          {behind.map((route) => (
            <li key={route.cidr} className={classes.line}>
              <div>
                <span className={classes.mono}>{route.cidr}</span>
                <Text size="sm" c="dimmed">
                  {routeWords(route)}
                </Text>
              </div>
              {mayWrite && (
                <Button
                  size="xs"
                  variant="default"
                  loading={approve.isRunning}
                  onClick={() => void change(route).catch(() => undefined /* shown by the action */)}
                >
                  {route.is_approved ? 'Take back' : 'Approve'}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {node.routes.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={4}>
            It reaches through others
          </Text>
          <ul className={classes.lines}>
            {node.routes.map((route) => (
              <li key={route} className={classes.mono}>
                {route}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  );
}
