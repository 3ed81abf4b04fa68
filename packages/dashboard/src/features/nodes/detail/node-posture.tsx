import { ActionIcon, Table, Text, Tooltip } from '@mantine/core';
import type { AppliedSection, Node, Posture } from '@meshwork/contract';
import {
  IconArrowBackUp,
  IconCircleCheck,
  IconGitCompare,
  IconHelpCircle,
  IconLoader,
  IconRefresh,
} from '@tabler/icons-react';
import { useRead } from '../../../api/queries.ts';
import { useFeatures } from '../../../feature/feature-list.ts';
import { span } from '../../../ui/ago.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { bytesText } from '../../../ui/quantities.ts';
import { Section } from '../../../ui/section.tsx';
import classes from './node-posture.module.css';

/** The desired configuration of the node beside what its agent reports. */
export function NodePosture({ node }: { readonly node: Node }) {
  const titleOf = useSectionTitles();
  const query = useRead('nodes.posture', { params: { id: node.id } });
  return (
    <Section
      title="Configuration"
      description="Desired configuration, and what the agent reports as applied."
      actions={<RefreshButton query={query} />}
    >
      <Loaded query={query}>
        {({ sections, relay, repaired, telemetry }) => (
          <>
            <Table verticalSpacing="xs" className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Section</Table.Th>
                  <Table.Th>Desired</Table.Th>
                  <Table.Th>Applied</Table.Th>
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
                Assigned relay: {relay.desired ?? 'none'}. Connected relay: {relay.observed ?? 'none'}.
              </Text>
            )}
            {repaired !== null && (
              <Text size="sm">
                The agent repaired drift in {repaired.sections.map((name) => titleOf(name).toLowerCase()).join(', ')}{' '}
                <Ago at={repaired.at} />: {repaired.found}
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
    features.find(({ sections }) => sections?.[section as AppliedSection])?.sections?.[section as AppliedSection] ??
    section;
}

interface SectionRowProps {
  readonly title: string;
  readonly posture: Posture['sections'][AppliedSection];
}

function SectionRow({ title, posture }: SectionRowProps) {
  const { desired, observed, carried, in_sync, drift_since, reason } = posture;
  if (!carried) return <UncarriedRow title={title} />;
  const why = observed?.error ?? reason;
  const isExplained = !in_sync && observed !== null && why !== null;
  return (
    <>
      <Table.Tr className={isExplained ? classes.explained : undefined}>
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
          {observed === null ? 'Not reported' : <Digest digest={observed.digest} />}
          {drift_since !== null && (
            <div className={classes.why}>
              Since <Ago at={drift_since} />
            </div>
          )}
        </Table.Td>
      </Table.Tr>
      {isExplained && (
        <Table.Tr>
          <Table.Td colSpan={3} className={`${classes.side} ${classes.why}`}>
            {why}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** Nothing to compare: the section is not sent to an agent that does not support it. */
function UncarriedRow({ title }: { readonly title: string }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        {title}
      </Table.Th>
      <Table.Td className={classes.side} colSpan={2}>
        Not supported by this agent
      </Table.Td>
    </Table.Tr>
  );
}

/** Digests are compared, not revisions: the same content may have been sent at several. */
function Digest({ digest }: { readonly digest: string }) {
  return <span className={classes.digest}>{digest}</span>;
}

interface InSyncProps {
  readonly in_sync: boolean;
  readonly drift_since: string | null;
  readonly isKnown: boolean;
}

function InSync({ in_sync, drift_since, isKnown }: InSyncProps) {
  if (in_sync) return <Badge tone="good" icon={IconCircleCheck} word="In sync" />;
  if (drift_since !== null) return <Badge tone="watch" icon={IconGitCompare} word="Drifting" />;
  if (!isKnown) return <Badge tone="off" icon={IconHelpCircle} word="Unknown" />;
  return <Badge tone="busy" icon={IconLoader} word="Applying" />;
}

interface RefreshButtonProps {
  readonly query: { readonly refetch: () => Promise<unknown> };
}

/** For numbers that change with every heartbeat, without an event. */
function RefreshButton({ query }: RefreshButtonProps) {
  return (
    <Tooltip label="Refresh">
      <ActionIcon variant="default" aria-label="Refresh" onClick={() => void query.refetch()}>
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface TelemetryProps {
  /** By name, as the node sent it: a newer agent may tell of more than is known here. */
  readonly telemetry: Readonly<Record<string, number>>;
}

/** How the machine does, as of its last word about that. */
function Telemetry({ telemetry }: TelemetryProps) {
  const { uptime_s, load, memory_used_bytes, memory_total_bytes, rx_bytes, tx_bytes } = telemetry;
  const parts: string[] = [];
  if (uptime_s !== undefined) parts.push(`up ${span(uptime_s)}`);
  if (load !== undefined) parts.push(`load ${load.toFixed(2)}`);
  if (memory_used_bytes !== undefined && memory_total_bytes !== undefined) {
    parts.push(`memory ${bytesText(memory_used_bytes)} of ${bytesText(memory_total_bytes)}`);
  }
  if (rx_bytes !== undefined && tx_bytes !== undefined) {
    parts.push(`${bytesText(rx_bytes)} received, ${bytesText(tx_bytes)} sent through the mesh`);
  }
  return (
    <Text size="sm" c="dimmed">
      Last telemetry: {parts.join(', ') || 'none'}.
    </Text>
  );
}
