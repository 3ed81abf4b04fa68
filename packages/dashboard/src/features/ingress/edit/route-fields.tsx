import { ActionIcon, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { Folded } from '../../../ui/folded.tsx';
import { balanceWords, checkWords, PROTOCOL_WORDS } from '../ingress-words.ts';
import classes from './edit.module.css';
import type { RouteDraft } from './ingress-draft.ts';
import type { MeshChoices } from './mesh-choices.ts';
import { RouteOverrides } from './route-overrides.tsx';
import { ServiceField } from './service-field.tsx';
import type { TrafficDraft } from './traffic-draft.ts';
import type { UpstreamDraft } from './upstream-draft.ts';
import { UpstreamFields } from './upstream-fields.tsx';
import { WafField } from './waf-field.tsx';

interface RouteFieldsProps {
  readonly route: RouteDraft;
  readonly choices: MeshChoices;
  /** The rules of the ingress. */
  readonly inherited: TrafficDraft;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (route: RouteDraft) => void;
  readonly onRemove: () => void;
}

export function RouteFields({ route, choices, inherited, wrong, onChange, onRemove }: RouteFieldsProps) {
  const set = (change: Partial<RouteDraft>) => onChange({ ...route, ...change });
  const name = route.path === '' ? 'the new path' : route.path;
  return (
    <div className={classes.route}>
      <div className={classes.pair}>
        <TextInput
          label="Path"
          placeholder="/api"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={route.path}
          error={wrong('path')}
          onChange={(event) => set({ path: event.currentTarget.value.trim() })}
        />
        <ServiceField
          label="Service"
          isRequired
          value={route.service}
          error={wrong('service')}
          choices={choices}
          onChange={(service) => set({ service })}
        />
        <ActionIcon
          variant="default"
          size="input-sm"
          className={classes.remove}
          aria-label={`Remove ${name}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <Folded
        title="Advanced"
        label={`Advanced settings of ${name}`}
        summary={summaryOf(route.upstream)}
        isOpenForced={wrong('upstream') !== null}
      >
        <UpstreamFields
          kind="http"
          draft={route.upstream}
          choices={choices}
          wrong={(field) => wrong(`upstream/${field}`)}
          onChange={(upstream) => set({ upstream })}
        />
      </Folded>
      <RouteOverrides
        of={name}
        overrides={route.traffic}
        inherited={inherited}
        wrong={(field) => wrong(`traffic/${field}`)}
        onChange={(traffic) => set({ traffic })}
      />
      <WafField
        label="WAF policy"
        hiddenLabel={`WAF policy of ${name}`}
        inherits
        value={route.waf}
        error={wrong('waf')}
        onChange={(waf) => set({ waf })}
      />
    </div>
  );
}

/** What is set, where the fields for it are folded away. */
export function summaryOf(draft: UpstreamDraft): string {
  const { protocol, balance, weights, canary, percent, proxy_protocol, check } = draft;
  return [
    PROTOCOL_WORDS[protocol],
    ...(proxy_protocol ? ['PROXY protocol'] : []),
    balanceWords(balance),
    `health check: ${checkWords(check)}`,
    ...(weights.length === 0 ? [] : [`weights: ${weights.join(' ')}`]),
    ...(canary === '' ? [] : [`canary: ${canary} ${percent} %`]),
  ].join(' · ');
}
