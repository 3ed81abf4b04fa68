import { Table, Text } from '@mantine/core';
import type { AppliedSection, Node, Posture } from '@meshwork/contract';
import { IconArrowBackUp, IconCircleCheck, IconGitCompare, IconHelpCircle, IconLoader } from '@tabler/icons-react';
import { useRead } from '../../../api/queries.ts';
import { useFeatures } from '../../../feature-list.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './node-posture.module.css';
import { ReadAnew } from './read-anew.tsx';
import { Telemetry } from './telemetry.tsx';

/** The desired configuration of the node beside what its agent reports. */
export function NodePosture({ node }: { readonly node: Node }) {
  const titleOf = useSectionTitles();
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
                {Object.entries(sections).map(([name, posture]) => (
                  <SectionRow key={name} title={titleOf(name)} posture={posture} />
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
                Somebody else changed {repaired.sections.map((name) => titleOf(name).toLowerCase()).join(', ')} on
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

/** What the features call their sections. A newer coordinator may have one that none of them knows. */
function useSectionTitles(): (section: string) => string {
  const features = useFeatures();
  return (section) =>
    features.find(({ sections }) => sections?.[section as AppliedSection])?.sections?.[section as AppliedSection] ?? section;
}

interface SectionRowProps {
  readonly title: string;
  readonly posture: Posture['sections'][AppliedSection];
}

function SectionRow({ title, posture }: SectionRowProps) {
  const { desired, observed, carried, in_sync, drift_since, reason } = posture;
  if (!carried) return <UncarriedRow title={title} />;
  const why = observed?.error ?? reason;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {title}
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
function UncarriedRow({ title }: { readonly title: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {title}
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
