import { Checkbox, Stack } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { Folded } from '../../../ui/folded.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import { hasPort } from '../ingress-kinds.ts';
import { AddressFields } from './address-fields.tsx';
import classes from './edit.module.css';
import { problemAt } from './field-problems.ts';
import { type IngressDraft, ofKind, redirectsAll, serviceProblem } from './ingress-draft.ts';
import { KindField } from './kind-field.tsx';
import { useMeshChoices } from './mesh-choices.ts';
import { PathFields } from './path-fields.tsx';
import { ProxiesFields } from './proxies-fields.tsx';
import { RedirectFields } from './redirect-fields.tsx';
import { summaryOf } from './route-fields.tsx';
import { ServiceField } from './service-field.tsx';
import { SignInFields } from './sign-in-fields.tsx';
import { TrafficFields } from './traffic-fields.tsx';
import { UpstreamFields } from './upstream-fields.tsx';
import { WafField } from './waf-field.tsx';

interface IngressFieldsProps {
  readonly draft: IngressDraft;
  /** The person's own boundary, for a new one. Null: it is there already, and keeps its scope. */
  readonly own: Scope | null;
  /** Of the last attempt to save. */
  readonly error: unknown;
  readonly onChange: (draft: IngressDraft) => void;
}

export function IngressFields({ draft, own, error, onChange }: IngressFieldsProps) {
  const { kind } = draft;
  const choices = useMeshChoices(kind === 'udp' ? 'udp' : 'tcp');
  const set = (change: Partial<IngressDraft>) => onChange({ ...draft, ...change });
  const wrong = (field: string) => problemAt(error, `/${field}`);
  return (
    <>
      {own !== null && (
        <Section title="Kind" description="What comes in. It cannot be changed later.">
          <KindField kind={kind} onChange={(wanted) => onChange(ofKind(draft, wanted))} />
        </Section>
      )}
      <AddressFields draft={draft} isNew={own !== null} wrong={wrong} onChange={set} />
      <Section
        title="Service"
        description={
          kind === 'http' ? 'Where requests go, unless a path below says otherwise.' : 'Where connections go.'
        }
      >
        <Stack className={classes.readable}>
          <ServiceField
            label="Service"
            description={
              kind === 'http'
                ? 'By the name that nodes report. Not needed if a redirect of / sends everyone elsewhere.'
                : 'By the name that nodes report.'
            }
            placeholder="shop-web"
            isRequired={!redirectsAll(draft)}
            value={draft.service}
            error={serviceProblem(draft) ?? wrong('service')}
            choices={choices}
            onChange={(service) => set({ service })}
          />
          <Folded
            title="Advanced"
            label="Advanced settings of the service"
            summary={summaryOf(draft.upstream)}
            isOpenForced={wrong('upstream') !== null}
          >
            <UpstreamFields
              key={kind}
              kind={kind}
              draft={draft.upstream}
              choices={choices}
              wrong={(field) => wrong(`upstream/${field}`)}
              onChange={(upstream) => set({ upstream })}
            />
          </Folded>
        </Stack>
      </Section>
      {kind === 'http' && <PathFields draft={draft} choices={choices} wrong={wrong} onChange={onChange} />}
      <Section
        title="Gateways"
        description={`Nodes that answer for the ${hasPort(kind) ? 'port' : 'host name'}, with nginx.`}
      >
        <Stack className={classes.readable}>
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
      <Section title="Traffic" description="What passes, and how. By default everything does, unchanged.">
        <Stack className={classes.readable} gap="xs">
          <TrafficFields
            key={kind}
            kind={kind}
            draft={draft.traffic}
            wrong={(field) => wrong(`traffic/${field}`)}
            onChange={(traffic) => set({ traffic })}
          />
          {kind === 'http' && (
            <>
              <RedirectFields
                redirects={draft.redirects}
                first={draft.service === '' ? '/' : ''}
                wrong={(field) => wrong(`redirects/${field}`)}
                isWrong={wrong('redirects') !== null}
                onChange={(redirects) => set({ redirects })}
              />
              <ProxiesFields
                draft={draft.proxies}
                wrong={(field) => wrong(`proxies/${field}`)}
                isWrong={wrong('proxies') !== null}
                onChange={(proxies) => set({ proxies })}
              />
              <Checkbox
                label="Pass on mesh identity"
                description="The service learns which node of the mesh asks, in X-Mesh-Node."
                checked={draft.mesh_identity}
                error={wrong('mesh_identity')}
                onChange={(event) => set({ mesh_identity: event.currentTarget.checked })}
              />
              <Checkbox
                label="Count requests"
                description="Gateways count requests by path and status, and keep nothing else of them."
                checked={draft.counted}
                error={wrong('counted')}
                onChange={(event) => set({ counted: event.currentTarget.checked })}
              />
            </>
          )}
        </Stack>
      </Section>
      {kind === 'http' && (
        <Section title="Sign-in" description="Who may open the service. It needs TLS for all clients.">
          <Stack className={classes.readable}>
            <SignInFields value={draft.sign_in} wrong={wrong} onChange={(sign_in) => set({ sign_in })} />
          </Stack>
        </Section>
      )}
      {kind === 'http' && (
        <Section title="WAF" description="What requests have to pass before they reach the service.">
          <Stack className={classes.readable}>
            <WafField
              label="WAF policy"
              description="Requests are inspected by the Core Rule Set. It costs the gateways time with every request."
              value={draft.waf}
              error={wrong('waf')}
              onChange={(waf) => set({ waf: waf ?? null })}
            />
          </Stack>
        </Section>
      )}
      {own !== null && (
        <Section title="Scope">
          <Stack className={classes.readable}>
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
