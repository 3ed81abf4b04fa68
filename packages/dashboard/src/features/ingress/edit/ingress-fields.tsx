import { Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { IconPlus } from '@tabler/icons-react';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { Section } from '../../../ui/section.tsx';
import { Advanced } from './advanced.tsx';
import { problemAt } from './field-problems.ts';
import { type IngressDraft, withRoute } from './ingress-draft.ts';
import { useMeshChoices } from './mesh-choices.ts';
import { NumberField } from './number-field.tsx';
import { RouteFields, summaryOf } from './route-fields.tsx';
import { ServiceField } from './service-field.tsx';
import { UpstreamFields } from './upstream-fields.tsx';
import { WordsField } from './words-field.tsx';

interface IngressFieldsProps {
  readonly draft: IngressDraft;
  /** The person's own boundary, for a new one. Null: it is there already, and keeps its scope. */
  readonly own: Scope | null;
  /** Of the last attempt to save. */
  readonly error: unknown;
  readonly onChange: (draft: IngressDraft) => void;
}

const CERTIFICATES = [
  { value: 'mesh', label: 'On, with a certificate by the mesh CA' },
  { value: 'none', label: 'Off, plain HTTP only' },
];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
/** Ours: a line of text is easy to read up to here. */
const WIDTH = '44rem';

export function IngressFields({ draft, own, error, onChange }: IngressFieldsProps) {
  const choices = useMeshChoices();
  const set = (change: Partial<IngressDraft>) => onChange({ ...draft, ...change });
  const wrong = (field: string) => problemAt(error, `/${field}`);
  return (
    <>
      <Section title="Address">
        <Stack maw={WIDTH}>
          <TextInput
            {...PLAIN}
            label="Name"
            description="What people of your organisation call it."
            placeholder="shop"
            required
            value={draft.name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value.trim().toLowerCase() })}
          />
          <TextInput
            {...PLAIN}
            label="Host name"
            description="What people outside enter. Its DNS record has to lead to the gateways."
            placeholder="shop.example.net"
            required
            value={draft.hostname}
            error={wrong('hostname')}
            onChange={(event) => set({ hostname: event.currentTarget.value.trim().toLowerCase() })}
          />
          <Select
            label="TLS"
            description="Between clients and gateways. The mesh CA has to certify the domain."
            allowDeselect={false}
            data={CERTIFICATES}
            value={draft.tls.certificate}
            error={wrong('tls/certificate')}
            onChange={(value) => set({ tls: { ...draft.tls, certificate: value === 'none' ? 'none' : 'mesh' } })}
          />
          {draft.tls.certificate === 'mesh' && (
            <Switch
              label="Redirect plain HTTP to HTTPS"
              checked={draft.tls.redirect}
              onChange={(event) => set({ tls: { ...draft.tls, redirect: event.currentTarget.checked } })}
            />
          )}
        </Stack>
      </Section>
      <Section title="Service" description="Where requests go, unless a path below says otherwise.">
        <Stack maw={WIDTH}>
          <ServiceField
            label="Service"
            description="By the name that nodes report."
            placeholder="shop-web"
            isRequired
            value={draft.service}
            error={wrong('service')}
            choices={choices}
            onChange={(service) => set({ service })}
          />
          <Advanced
            of="the service"
            summary={summaryOf(draft.upstream)}
            isOpenForced={problemAt(error, '/upstream') !== null}
          >
            <UpstreamFields
              draft={draft.upstream}
              choices={choices}
              wrong={(field) => wrong(`upstream/${field}`)}
              onChange={(upstream) => set({ upstream })}
            />
          </Advanced>
        </Stack>
      </Section>
      <Section
        title="Paths"
        description="A path and everything below it can lead to another service. The longest path that matches counts."
      >
        <Stack maw={WIDTH} align="stretch">
          {draft.routes.map((route, index) => (
            <RouteFields
              key={route.key}
              route={route}
              choices={choices}
              wrong={(field) => wrong(`routes/${index}/${field}`)}
              onChange={(changed) => set({ routes: draft.routes.with(index, changed) })}
              onRemove={() => set({ routes: draft.routes.filter(({ key }) => key !== route.key) })}
            />
          ))}
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => onChange(withRoute(draft))}
            >
              Add path
            </Button>
          </div>
        </Stack>
      </Section>
      <Section title="Gateways" description="Nodes that answer for the host name, with nginx.">
        <Stack maw={WIDTH}>
          <WordsField
            label="Which nodes"
            description="By tag or name. Any that matches one of these may serve it."
            placeholder="tag:role:gateway"
            isRequired
            initial={draft.gateways}
            choices={choices.selectors}
            error={wrong('gateways')}
            onChange={(gateways) => set({ gateways })}
          />
          <NumberField
            label="Replicas"
            description="How many gateways serve it at once."
            min={1}
            max={32}
            value={draft.replicas}
            error={wrong('replicas')}
            onChange={(replicas) => set({ replicas })}
          />
        </Stack>
      </Section>
      {own !== null && (
        <Section title="Scope">
          <Stack maw={WIDTH}>
            <ScopeFields
              meaning="It leads only to nodes with these tags (team:, surface:, env:), and cannot be moved later."
              own={own}
              value={draft.scope}
              onChange={(scope) => set({ scope })}
              error={error}
            />
          </Stack>
        </Section>
      )}
    </>
  );
}
