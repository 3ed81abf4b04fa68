import { Button, Text } from '@mantine/core';
import type { Ingress, OutsideCheck, OutsideFinding } from '@meshwork/contract';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { NodeLink } from '../../../mesh/node-link.tsx';
import { useMay } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../ingress.module.css';

const VERDICTS: Readonly<Record<OutsideCheck['verdict'], Parameters<typeof Badge>[0]>> = {
  reached: { tone: 'good', icon: IconCircleCheck, word: 'Reached at every address' },
  partly: { tone: 'watch', icon: IconAlertTriangle, word: 'Reached at some addresses' },
  unreached: { tone: 'bad', icon: IconCircleX, word: 'Not reached' },
  unproven: { tone: 'watch', icon: IconAlertTriangle, word: 'Not proven' },
};

const LEVELS: Readonly<Record<OutsideFinding['level'], Parameters<typeof Badge>[0]>> = {
  problem: { tone: 'bad', icon: IconCircleX, word: 'Problem' },
  notice: { tone: 'watch', icon: IconAlertTriangle, word: 'Notice' },
  good: { tone: 'good', icon: IconCircleCheck, word: 'Good' },
};

/** Whether people outside reach it, as another node tries. Nothing of it is kept: a check is about the moment when it was made. */
export function FromOutside({ ingress }: { readonly ingress: Ingress }) {
  const may = useMay()('ingress:probe');
  const [check, setCheck] = useState<OutsideCheck | null>(null);
  const action = useAction('ingress.check', { quiet: true, touches: ['audit'] });
  const run = () => {
    action.run({ params: { id: ingress.id }, body: {} }).then(
      ({ body }) => setCheck(body),
      () => setCheck(null), // shown below, by `error`
    );
  };
  if (!may) return null;
  return (
    <Section
      title="From outside"
      description="A node that is no gateway of it looks the host name up, and connects as people outside do."
      actions={
        <Button variant="default" size="xs" loading={action.isRunning} onClick={run}>
          Check from outside
        </Button>
      }
    >
      {action.error !== null && <ProblemNotice error={action.error} />}
      {check === null ? (
        action.error === null && (
          <Text size="sm" c="dimmed">
            {action.isRunning ? 'A node is trying it.' : 'Not checked yet.'}
          </Text>
        )
      ) : (
        <Findings check={check} />
      )}
    </Section>
  );
}

function Findings({ check }: { readonly check: OutsideCheck }) {
  const { verdict, node, at, addresses, resolvers, findings } = check;
  return (
    <>
      <div className={classes.head}>
        <Badge {...VERDICTS[verdict]} />
        <Text span size="sm" c="dimmed">
          Checked by <NodeLink id={node} /> <Ago at={at} />
        </Text>
      </div>
      <Text size="sm" className={classes.outside}>
        {addresses.length === 0 ? 'DNS has no address' : `DNS: ${addresses.join(', ')}`}
        {resolvers.length > 0 && `, by ${resolvers.join(', ')}`}
      </Text>
      <ul className={classes.findings} aria-label="Findings from outside">
        {findings.map((finding) => (
          <li key={`${finding.finding} ${finding.summary}`}>
            <Badge {...LEVELS[finding.level]} />
            <Text size="sm" className={classes.outside}>
              {finding.summary}
            </Text>
            {finding.remedy !== null && (
              <Text size="sm" c="dimmed" className={classes.outside}>
                {finding.remedy}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
