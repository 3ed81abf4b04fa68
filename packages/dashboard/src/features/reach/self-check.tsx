import { Table, Text } from '@mantine/core';
import type { SelfCheck } from '@meshwork/contract';
import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { IconCircleCheck } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { Command } from '../../ui/command.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { plural } from '../../ui/plural.ts';
import { Section } from '../../ui/section.tsx';
import { Reality, Verdict } from '../../ui/state.tsx';
import list from './answer-list.module.css';
import classes from './self-check.module.css';

/** How often explanations were what happened. It tells of nodes everywhere, so it takes the whole mesh as scope. */
export function SelfCheckSection() {
  const permitted = isWholeMesh(useSession().user.scope);
  const query = useRead('acls.self_check', undefined, { enabled: permitted });
  if (!permitted) return null;
  return (
    <Section
      title="Checked by the mesh itself"
      description="Around the clock, a node picked at random tries to reach another one, and the coordinator compares what happens with its explanation."
    >
      <Loaded query={query}>{(check) => <Checked check={check} />}</Loaded>
    </Section>
  );
}

function Checked({ check }: { readonly check: SelfCheck }) {
  const { since, total, unknown, disagreed, disagreements } = check;
  if (total === 0) {
    return (
      <Text size="sm" c="dimmed">
        No checks since <Ago at={since} />. They begin once two nodes are online whose agents support live attempts.
      </Text>
    );
  }
  return (
    <>
      <div className={classes.summary}>
        <Figure value={total.toLocaleString()} label="checked" />
        <Figure value={disagreed.toLocaleString()} label="disagreed" isTroubled={disagreed > 0} />
        <Figure value={unknown.toLocaleString()} label={`unknown (${((100 * unknown) / total).toFixed(1)}%)`} />
        <Text size="sm" c="dimmed" span>
          Counted since the coordinator started, <Ago at={since} />
        </Text>
      </div>
      <Counts check={check} />
      {disagreements.length === 0 ? (
        <div className={classes.calm}>
          <IconCircleCheck size={20} aria-hidden />
          <Text size="sm">No disagreements: every known explanation was what happened.</Text>
        </div>
      ) : (
        <Disagreements disagreements={disagreements} total={disagreed} />
      )}
    </>
  );
}

interface FigureProps {
  readonly value: string;
  readonly label: string;
  readonly isTroubled?: boolean;
}

function Figure({ value, label, isTroubled = false }: FigureProps) {
  return (
    <span>
      <span className={classes.value} data-troubled={isTroubled}>
        {value}
      </span>{' '}
      {label}
    </span>
  );
}

const VERDICTS = ['allowed', 'denied', 'unknown'] as const;
const REALITIES = ['passed', 'blocked', 'unknown'] as const;

/** What was explained, by row, against what happened, by column. */
function Counts({ check: { checks } }: { readonly check: SelfCheck }) {
  const count = (verdict: string, reality: string) =>
    checks.find((one) => one.verdict === verdict && one.reality === reality)?.count ?? 0;
  return (
    <Table verticalSpacing="xs" className={classes.table}>
      <Table.Caption className={classes.caption}>Explanation by row, outcome of the attempt by column.</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Explained</Table.Th>
          <Table.Th scope="col">Passed</Table.Th>
          <Table.Th scope="col">Blocked</Table.Th>
          <Table.Th scope="col">Not known</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {VERDICTS.map((verdict) => (
          <Table.Tr key={verdict}>
            <Table.Th scope="row">
              <Verdict verdict={verdict} />
            </Table.Th>
            {REALITIES.map((reality) => (
              <Table.Td key={reality} className={classes.count} data-none={count(verdict, reality) === 0}>
                {count(verdict, reality).toLocaleString()}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Disagreements({
  disagreements,
  total,
}: Pick<SelfCheck, 'disagreements'> & {
  readonly total: number;
}) {
  const left_out = total - disagreements.length;
  return (
    <div>
      <Text size="sm" fw={600} component="h3" m={0}>
        {total === 1 ? 'The disagreement' : 'Disagreements, newest first'}
      </Text>
      <ul className={classes.disagreements}>
        {disagreements.map(({ at, from, to, port, report, command }) => (
          <li key={`${at} ${from} ${to} ${port}`} className={classes.disagreement}>
            <div className={list.head}>
              <Verdict verdict={report.explanation.verdict} />
              <span aria-hidden>→</span>
              <Reality reality={report.reality} />
              <Text size="sm" span className={list.mono}>
                {from} → {to} {port}
              </Text>
              <Text size="sm" c="dimmed" span>
                <Ago at={at} />
              </Text>
            </div>
            <Text size="sm" className={list.text}>
              Explained: {report.explanation.reason}
            </Text>
            <Text size="sm" className={list.text}>
              Happened: {report.reason}
            </Text>
            <Command text={command} label="On the command line" />
          </li>
        ))}
      </ul>
      {left_out > 0 && (
        <Text size="sm" c="dimmed">
          And {plural(left_out, 'earlier one', 'earlier ones')}.
        </Text>
      )}
    </div>
  );
}
