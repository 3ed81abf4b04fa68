import { Button, Group, Radio, Select, Stack } from '@mantine/core';
import type { CertificateWithChain, RequestedProfile } from '@meshwork/contract';
import { isWholeMesh, REQUESTED_PROFILES } from '@meshwork/contract/vocabulary';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../session/session.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import { Section } from '../../../ui/section.tsx';
import { PROFILE_WORDS } from '../certificate-words.ts';
import { LONGEST, lifetimesWithin, secondsOf } from './lifetimes.ts';
import { Refusal } from './refusal.tsx';
import { RequestInput } from './request-input.tsx';
import { requestProblem } from './request-text.ts';

const PROFILE_TEXT: Readonly<Record<RequestedProfile, string>> = {
  server: 'For a service that others connect to.',
  client: 'For a program that connects to services.',
  ingress: 'For the host name of an ingress, in a domain that the root certifies.',
};

export function IssueForm({ onIssued }: { readonly onIssued: (certificate: CertificateWithChain) => void }) {
  const [request, setRequest] = useState('');
  const [profile, setProfile] = useState<RequestedProfile>('server');
  const [lifetime, setLifetime] = useState(LONGEST);
  const lifetimes = useLifetimes();
  const issue = useAction('ca.issue', { quiet: true, touches: ['overview', 'audit'] });
  const problem = request.trim() === '' ? null : requestProblem(request);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (request.trim() === '' || problem !== null) return;
    const body = { request: request.trim(), profile, lifetime_s: secondsOf(lifetime) };
    onIssued((await issue.run({ body })).body);
  };
  const change = (text: string) => {
    setRequest(text);
    issue.reset(); // what was said is about the last one
  };
  return (
    <Section title="2. Issue the certificate">
      <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by issue.error */)}>
        <Stack maw="44rem">
          <RequestInput value={request} onChange={change} error={problem} />
          <Radio.Group
            label="Profile"
            value={profile}
            onChange={(chosen) => setProfile(REQUESTED_PROFILES.find((one) => one === chosen) ?? profile)}
          >
            <Stack gap={6} mt={4}>
              {REQUESTED_PROFILES.map((one) => (
                <Radio key={one} value={one} label={PROFILE_WORDS[one]} description={PROFILE_TEXT[one]} />
              ))}
            </Stack>
          </Radio.Group>
          <Select
            label="Lifetime"
            description="Shorter is safer where renewal is automated."
            data={lifetimes}
            allowDeselect={false}
            value={lifetime}
            error={fieldError(issue.error, '/lifetime_s') ?? null}
            onChange={(value) => setLifetime(value ?? LONGEST)}
          />
          {issue.error !== null && <Refusal error={issue.error} />}
          <Group>
            <Button type="submit" loading={issue.isRunning} disabled={problem !== null}>
              Issue certificate
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

/** What the settings allow, where the person may read them. */
function useLifetimes() {
  const { scope } = useSession().user;
  const enabled = useMay()('settings:read') && isWholeMesh(scope);
  return lifetimesWithin(useRead('settings.show', undefined, { enabled }).data?.body.ca.service_lifetime_s);
}
