import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Ago } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './node-page.module.css';
import { Findings } from './rules/findings.tsx';
import { HoldingRules } from './rules/holding-rules.tsx';

/** What one node filters by: policy and host rules together, as nftables loads them there. */
export default function NodePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useRead('firewall.node', { params: { id } });
  const compiled = query.data?.body;
  return (
    <Page
      title={`Firewall of ${compiled?.name ?? id}`}
      subtitle="The desired rules. Run nft list table inet mesh on the node to see what is in effect."
      back={{ to: '/firewall', label: 'Firewall' }}
    >
      <Loaded query={query}>
        {({ node, name, rules, text, findings, rolled_back, revision }) => (
          <Stack gap="md">
            <Section
              title="Host rules"
              description={rules.length === 0 ? undefined : 'Rules that apply to this node, in order.'}
              actions={
                <AnchorLink to="/nodes/$id" params={{ id: node }} size="sm">
                  {name}
                </AnchorLink>
              }
            >
              {rules.length === 0 ? (
                <Text size="sm" c="dimmed">
                  No host rules apply to this node. Only traffic through the mesh is filtered, by the policy.
                </Text>
              ) : (
                <HoldingRules ids={rules} />
              )}
              {rolled_back !== null && (
                <Alert color="yellow" variant="light" title="Rolled back" icon={<IconArrowBackUp aria-hidden />}>
                  No heartbeat was answered within {rolled_back.after_s} s after rule set {rolled_back.revision}, so{' '}
                  {name} restored the previous one <Ago at={rolled_back.at} />. It is not retried until the rules
                  change.
                </Alert>
              )}
              <Findings findings={findings} order={rules} />
            </Section>
            <Section
              title="nftables"
              description={`Policy and host rules in one table, at revision ${revision}.`}
              actions={<CopyButton value={text} label="the table" size="md" />}
            >
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
              <section className={classes.text} tabIndex={0} aria-label={`nftables table of ${name}`}>
                <Code block>{text}</Code>
              </section>
            </Section>
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
