import { Button, Select, Stack, Text } from '@mantine/core';
import type { WafExclusionRules, WafPolicy } from '@meshwork/contract';
import { IconShieldCheck } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from '../waf.module.css';
import { WafNav } from '../waf-nav.tsx';
import { exclusionWords, isSameExclusion, rulesOf } from '../waf-words.ts';
import { firstDraft, headersProblem, pathOf, requestOf, withExample } from './bench-draft.ts';
import { BenchFields } from './bench-fields.tsx';
import { ATTACKS, BENIGN } from './examples.ts';
import { Verdict } from './verdict.tsx';

/** As many as one answer has. */
const LOOKED_AT = 200;

export default function BenchPage() {
  const query = useRead('waf.list', { query: { limit: LOOKED_AT } });
  const [{ policy }, change] = useFilters(['policy']);
  return (
    <Page
      title="WAF test bench"
      subtitle="A gateway runs a request through its engine, apart from what it serves. It reaches no service, and is no event."
    >
      <WafNav />
      <Loaded query={query}>
        {({ items }) => {
          const chosen = items.find(({ id, name }) => id === policy || name === policy) ?? items[0];
          if (chosen === undefined) return <EmptyState icon={IconShieldCheck} title="There is no policy to try" />;
          return <Bench key={chosen.id} policies={items} policy={chosen} choose={(id) => change({ policy: id })} />;
        }}
      </Loaded>
    </Page>
  );
}

interface BenchProps {
  readonly policies: readonly WafPolicy[];
  readonly policy: WafPolicy;
  readonly choose: (id: string | null) => void;
}

function Bench({ policies, policy, choose }: BenchProps) {
  const hosts = [...new Set(policy.used_by.map(({ hostname }) => hostname))];
  const [draft, setDraft] = useState(() => firstDraft(hosts[0] ?? 'localhost'));
  const [example, setExample] = useState<string | null>(ATTACKS[0]?.label ?? null);
  const [gateway, setGateway] = useState<string | null>(null);
  const [exclusion, setExclusion] = useState<WafExclusionRules | null>(null);
  const [tried, setTried] = useState<{ readonly host: string; readonly path: string } | null>(null);
  const test = useAction('waf.test', { quiet: true });
  const [tested, setTested] = useState<Awaited<ReturnType<typeof test.run>>['body'] | null>(null);

  const run = async (tried_with: WafExclusionRules | null) => {
    const request = requestOf(draft);
    setExclusion(tried_with);
    setTested(null);
    const body = {
      request,
      ...(gateway === null ? {} : { gateway }),
      ...(tried_with === null ? {} : { exclusion: tried_with }),
    };
    const answer = await test.run({ params: { id: policy.id }, body });
    setTried({ host: request.host, path: pathOf(request.uri) });
    setTested(answer.body);
  };
  const start = (tried_with: WafExclusionRules | null) =>
    void run(tried_with).catch(() => undefined /* shown below, by `error` */);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (headersProblem(draft.headers) === null) start(exclusion);
  };
  return (
    <div className={classes.columns}>
      <form onSubmit={submit} className={classes.column}>
        <Section title="Request">
          <Stack>
            <Select
              label="Policy"
              allowDeselect={false}
              searchable
              data={policies.map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode})` }))}
              value={policy.id}
              onChange={choose}
            />
            <Select
              label="Example"
              description="Fills in the request, and can be changed."
              placeholder="None"
              data={[
                { group: 'Attacks', items: ATTACKS.map(({ label }) => label) },
                { group: 'Benign', items: BENIGN.map(({ label }) => label) },
              ]}
              value={example}
              onChange={(label) => {
                setExample(label);
                setDraft(withExample(draft, label));
              }}
            />
            <BenchFields
              draft={draft}
              hosts={hosts}
              gateways={policy.gateways}
              gateway={gateway}
              error={test.error}
              onChange={setDraft}
              onGateway={setGateway}
            />
            <ExclusionField policy={policy} exclusion={exclusion} onChange={setExclusion} />
            <div>
              <Button type="submit" loading={test.isRunning}>
                Try it
              </Button>
            </div>
          </Stack>
        </Section>
      </form>
      <div className={classes.column}>
        {test.error !== null && <ProblemNotice error={test.error} />}
        {tested !== null && tried !== null && <Verdict tested={tested} place={tried} onExclude={start} />}
        {tested === null && test.error === null && (
          <Section title="Verdict">
            <Text size="sm" c="dimmed">
              {test.isRunning ? 'A gateway is trying it.' : 'Nothing is tried yet.'}
            </Text>
          </Section>
        )}
      </div>
    </div>
  );
}

interface ExclusionFieldProps {
  readonly policy: WafPolicy;
  readonly exclusion: WafExclusionRules | null;
  readonly onChange: (exclusion: WafExclusionRules | null) => void;
}

const OTHER = 'other';

/** One more than those in force: a draft of the policy, or one that a verdict suggested. */
function ExclusionField({ policy, exclusion, onChange }: ExclusionFieldProps) {
  const drafts = policy.exclusions.filter(({ draft }) => draft);
  const known = exclusion === null ? undefined : drafts.find((one) => isSameExclusion(one, exclusion));
  if (drafts.length === 0 && exclusion === null) return null;
  return (
    <Select
      label="With this exclusion"
      description="Beside those in force."
      placeholder="None"
      clearable
      data={[
        ...drafts.map((one) => ({ value: one.id, label: exclusionWords(one) })),
        ...(exclusion !== null && known === undefined ? [{ value: OTHER, label: exclusionWords(exclusion) }] : []),
      ]}
      value={exclusion === null ? null : (known?.id ?? OTHER)}
      onChange={(value) => {
        const draft = drafts.find(({ id }) => id === value);
        if (draft !== undefined) onChange(rulesOf(draft));
        else if (value === null) onChange(null);
      }}
    />
  );
}
