import { Button, Code, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Policy, PolicyVersionWithText } from '@meshwork/contract';
import { IconRestore } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { May } from '../../session/session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useFilters } from '../../ui/filters.ts';
import { LineDiff } from '../../ui/line-diff.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { RestoreDialog } from './review/restore-dialog.tsx';
import classes from './version-page.module.css';

const VIEWS = [
  { value: 'previous', label: 'Changes' },
  { value: 'current', label: 'Compare with current' },
  { value: 'text', label: 'Text' },
];

export default function VersionPage() {
  const { n = '' } = useParams({ strict: false });
  const [{ view = 'previous' }, setFilters] = useFilters(['view']);
  const [isRestoring, setRestoring] = useState(false);
  const version = useRead('acls.version', { params: { n } });
  const current = useRead('acls.show');
  const policy = current.data?.body;
  const isInEffect = policy?.version === version.data?.body.version;
  return (
    <Page
      title={`Policy version ${n}`}
      subtitle={isInEffect ? 'Currently in effect' : undefined}
      back={{ to: '/access/versions', label: 'Versions' }}
      actions={
        <May permission="acls:write">
          {version.data !== undefined && policy !== undefined && !isInEffect && (
            <Button leftSection={<IconRestore size={16} aria-hidden />} onClick={() => setRestoring(true)}>
              Restore
            </Button>
          )}
        </May>
      }
    >
      <Loaded query={version}>
        {(body) => (
          <Stack gap="md">
            <Section title="Details">
              <About version={body} />
            </Section>
            <Section
              title="Policy"
              actions={
                <SegmentedControl
                  size="xs"
                  aria-label="View"
                  data={VIEWS}
                  value={VIEWS.some(({ value }) => value === view) ? view : 'previous'}
                  onChange={(value) => setFilters({ view: value === 'previous' ? null : value })}
                />
              }
            >
              <Shown version={body} policy={policy} view={view} />
            </Section>
            {isRestoring && policy !== undefined && (
              <RestoreDialog
                version={body}
                current={policy}
                etag={current.data?.etag ?? ''}
                onClose={() => setRestoring(false)}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

interface ShownProps {
  readonly version: PolicyVersionWithText;
  readonly policy: Policy | undefined;
  readonly view: string;
}

function Shown({ version, policy, view }: ShownProps) {
  if (view === 'text') return <PolicyText text={version.text} />;
  if (view === 'current')
    return policy === undefined ? null : (
      <LineDiff before={version.text} after={policy.text} label="Changes from this version to the current one" />
    );
  return version.version === 0 ? (
    <Text size="sm" c="dimmed">
      This is the first version.
    </Text>
  ) : (
    <AgainstPrevious version={version} />
  );
}

function AgainstPrevious({ version }: { readonly version: PolicyVersionWithText }) {
  const previous = useRead('acls.version', { params: { n: String(version.version - 1) } });
  return (
    <Loaded query={previous}>
      {({ text }) => <LineDiff before={text} after={version.text} label="Changes from the previous version" />}
    </Loaded>
  );
}

function About({ version }: { readonly version: PolicyVersionWithText }) {
  const { created_at, created_by, note, restored_from, groups, grants, sha256 } = version;
  return (
    <Facts
      items={[
        {
          label: 'Saved',
          value: created_at === null ? 'Default of a new mesh' : <Moment at={created_at} />,
        },
        { label: 'By', value: created_by === null ? '–' : <Actor actor={created_by} /> },
        { label: 'Note', value: note ?? '–' },
        ...(restored_from === null ? [] : [{ label: 'Restored from', value: `Version ${restored_from}` }]),
        { label: 'Groups', value: groups },
        { label: 'Grants', value: grants },
        { label: 'SHA-256', value: <Copyable value={sha256} />, help: 'Of the policy text' },
      ]}
    />
  );
}

/** A text as it was written, to read and to copy. */
function PolicyText({ text }: { readonly text: string }) {
  return (
    <div className={classes.whole}>
      <div className={classes.copy}>
        <CopyButton value={text} label="the policy" size="md" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
      <section className={classes.text} tabIndex={0} aria-label="Policy text">
        <Code block>{text}</Code>
      </section>
    </div>
  );
}
