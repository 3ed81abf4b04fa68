import { ActionIcon, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { balanceWords, checkWords } from '../ingress-words.ts';
import { Advanced } from './advanced.tsx';
import classes from './edit.module.css';
import type { RouteDraft } from './ingress-draft.ts';
import type { MeshChoices } from './mesh-choices.ts';
import { ServiceField } from './service-field.tsx';
import type { UpstreamDraft } from './upstream-draft.ts';
import { UpstreamFields } from './upstream-fields.tsx';

interface RouteFieldsProps {
  readonly route: RouteDraft;
  readonly choices: MeshChoices;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (route: RouteDraft) => void;
  readonly onRemove: () => void;
}

export function RouteFields({ route, choices, wrong, onChange, onRemove }: RouteFieldsProps) {
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
      <Advanced of={name} summary={summaryOf(route.upstream)} isOpenForced={wrong('upstream') !== null}>
        <UpstreamFields
          draft={route.upstream}
          choices={choices}
          wrong={(field) => wrong(`upstream/${field}`)}
          onChange={(upstream) => set({ upstream })}
        />
      </Advanced>
    </div>
  );
}

/** What is set, where the fields for it are folded away. */
export function summaryOf({ protocol, balance, weights, canary, percent, check }: UpstreamDraft): string {
  return [
    protocol.toUpperCase(),
    balanceWords(balance),
    `health check: ${checkWords(check)}`,
    ...(weights.length === 0 ? [] : [`weights: ${weights.join(' ')}`]),
    ...(canary === '' ? [] : [`canary: ${canary} ${percent} %`]),
  ].join(' · ');
}
