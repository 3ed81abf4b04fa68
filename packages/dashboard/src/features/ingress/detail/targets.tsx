import { Text } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { IconCircleX } from '@tabler/icons-react';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { plural } from '../../../ui/plural.ts';
import { Section } from '../../../ui/section.tsx';
import { UpstreamState } from '../../../ui/state.tsx';
import { type Column, VirtualTable } from '../../../ui/virtual-table.tsx';
import classes from '../ingress.module.css';
import { foundOf, isUp, leadsToService, questionOf, type Target } from '../ingress-words.ts';

/** Where requests can go, and why they do not go to some. */
export function Targets({ ingress }: { readonly ingress: Ingress }) {
  const mayAsk = useMay()('acls:read');
  const { kind, service, routes } = ingress;
  if (!leadsToService(ingress)) return null;
  return (
    <Section title="Targets" description="Nodes inside its scope that report the services it leads to.">
      <VirtualTable<Target>
        label="Targets"
        rows={ingress.targets}
        rowId={({ service, node }) => `${service} ${node}`}
        columns={columnsOf(ingress, mayAsk)}
        height="26rem"
        empty={
          <Text size="sm" c="dimmed" p="sm">
            No node reports the service. Add it to an agent:{' '}
            <code>
              --service {service ?? routes[0]?.service}:{kind === 'udp' ? 'udp' : 'tcp'}:PORT
            </code>
            .
          </Text>
        }
      />
    </Section>
  );
}

function columnsOf(ingress: Ingress, mayAsk: boolean): readonly Column<Target>[] {
  return [
    {
      id: 'node',
      header: 'Target',
      width: 'minmax(0, 1.2fr)',
      render: ({ node, name, service }) => (
        <>
          <AnchorLink to="/nodes/$id" params={{ id: node }} fw={500}>
            {name}
          </AnchorLink>
          <span className={classes.below}>{service}</span>
        </>
      ),
    },
    {
      id: 'address',
      header: 'Address',
      width: 'minmax(0, 1.2fr)',
      priority: 2,
      render: ({ address, port }) => (
        <span className={classes.mono}>
          {address}:{port}
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: 'minmax(0, 2fr)',
      render: (target) => <State ingress={ingress} target={target} mayAsk={mayAsk} />,
    },
  ];
}

interface StateProps {
  readonly ingress: Ingress;
  readonly target: Target;
  readonly mayAsk: boolean;
}

function State({ ingress, target, mayAsk }: StateProps) {
  const { problem } = target;
  const question = questionOf(ingress, target);
  const found = foundOf(ingress, target);
  return (
    <>
      {problem !== null && !isUp(ingress, target) ? (
        <Badge tone="bad" icon={IconCircleX} word="Not reachable" title="Gateways send no requests there" />
      ) : (
        <FoundState found={found} />
      )}
      {problem !== null && (
        <span className={classes.below}>
          {problem}{' '}
          {mayAsk && question !== null && (
            <AnchorLink
              to="/reach"
              search={question}
              aria-label={`Explain why ${question.from} cannot reach ${target.name}`}
            >
              Explain
            </AnchorLink>
          )}
        </span>
      )}
    </>
  );
}

/** The same on every gateway most often; where they differ, how many find it up. */
function FoundState({ found }: { readonly found: ReturnType<typeof foundOf> }) {
  const up = found.filter(({ state }) => state === 'up').length;
  const state = up > 0 ? 'up' : (found[0]?.state ?? 'unknown');
  const why = found.find((one) => one.why !== null)?.why ?? null;
  const where =
    up === 0 || up === found.length ? `On ${plural(found.length, 'gateway')}` : `On ${up} of ${found.length} gateways`;
  return (
    <>
      <UpstreamState state={state} />
      <span className={classes.below}>
        {found.length === 0 ? 'No gateway has reported it' : why === null ? where : `${where}: ${why}`}
      </span>
    </>
  );
}
