import { Table, Text } from '@mantine/core';
import type { AppliedSection, Node, Posture } from '@meshwork/contract';
import { IconArrowBackUp, IconCircleCheck, IconGitCompare, IconHelpCircle, IconLoader } from '@tabler/icons-react';
import { useRead } from '../../../api/queries.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './node-posture.module.css';
import { ReadAnew } from './read-anew.tsx';
import { Telemetry } from './telemetry.tsx';

const SECTION_WORDS: Readonly<Record<AppliedSection, string>> = {
  self: 'Name and addresses',
  peers: 'Peers',
  acl: 'Grants',
  firewall: 'Host rules',
  relay: 'Relay',
  ingress: 'Ingresses',
};

/** What the node should be beside what it says it is. */
export function NodePosture({ node }: { readonly node: Node }) {
  const query = useRead('nodes.posture', { params: { id: node.id } });
  return (
    <Section
      title="Posture and behaviour"
      description="What it should be, and what its heartbeats say is in effect."
      actions={<ReadAnew query={query} />}
    >
      <Loaded query={query}>
        {({ sections, relay, repaired, telemetry }) => (
          <>
            <Table verticalSpacing="xs" className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Section</Table.Th>
                  <Table.Th>Should be</Table.Th>
                  <Table.Th>Is</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {Object.entries(SECTION_WORDS).map(([name, words]) => (
                  <SectionRow key={name} words={words} posture={sections[name as AppliedSection]} />
                ))}
              </Table.Tbody>
            </Table>
            {relay.desired !== relay.observed && (
              <Text size="sm">
                It should use the relay {relay.desired ?? 'of nobody'}, and its traffic can go through{' '}
                {relay.observed ?? 'none'}.
              </Text>
            )}
            {repaired !== null && (
              <Text size="sm">
                Somebody else changed {repaired.sections.map((name) => SECTION_WORDS[name].toLowerCase()).join(', ')} on
                the machine, and its agent put it back <Ago at={repaired.at} />: {repaired.found}
              </Text>
            )}
            {telemetry !== null && <Telemetry telemetry={telemetry} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface SectionRowProps {
  readonly words: string;
  readonly posture: Posture['sections'][AppliedSection];
}

function SectionRow({ words, posture }: SectionRowProps) {
  const { desired, observed, carried, in_sync, drift_since, reason } = posture;
  if (!carried) return <UncarriedRow words={words} />;
  const why = observed?.error ?? reason;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {words}
        <div>
          {observed?.rolled_back === undefined ? (
            <InSync in_sync={in_sync} drift_since={drift_since} isKnown={observed !== null} />
          ) : (
            <Badge tone="watch" icon={IconArrowBackUp} word="Rolled back" />
          )}
        </div>
      </Table.Th>
      <Table.Td className={classes.side}>
        <Digest digest={desired.digest} />
      </Table.Td>
      <Table.Td className={classes.side}>
        {observed === null ? 'It has not said' : <Digest digest={observed.digest} />}
        {!in_sync && observed !== null && why !== null && <div className={classes.why}>{why}</div>}
        {drift_since !== null && (
          <div className={classes.why}>
            Since <Ago at={drift_since} />
          </div>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** There is nothing to compare: the section is not sent to an agent that cannot put it into effect. */
function UncarriedRow({ words }: { readonly words: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {words}
      </Table.Th>
      <Table.Td className={classes.side} colSpan={2}>
        Not carried by this agent
      </Table.Td>
    </Table.Tr>
  );
}

/** What is compared. Revisions are not: the same content may have been told at several. */
function Digest({ digest }: { readonly digest: string }) {
  return <span className={classes.digest}>{digest}</span>;
}

interface InSyncProps {
  readonly in_sync: boolean;
  readonly drift_since: string | null;
  readonly isKnown: boolean;
}

function InSync({ in_sync, drift_since, isKnown }: InSyncProps) {
  if (in_sync) return <Badge tone="good" icon={IconCircleCheck} word="The same" />;
  if (drift_since !== null) return <Badge tone="watch" icon={IconGitCompare} word="Drifting" />;
  if (!isKnown) return <Badge tone="off" icon={IconHelpCircle} word="Not known" />;
  return <Badge tone="busy" icon={IconLoader} word="On its way" />;
}
