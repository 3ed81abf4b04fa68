import { Select, Stack, TextInput } from '@mantine/core';
import type { Upstream } from '@meshwork/contract';
import { CheckFields } from './check-fields.tsx';
import classes from './edit.module.css';
import type { MeshChoices } from './mesh-choices.ts';
import { NumberField } from './number-field.tsx';
import { ServiceField } from './service-field.tsx';
import {
  BALANCE_KINDS,
  type BalanceKind,
  balanceOf,
  partsOfBalance,
  type UpstreamDraft,
  weightsProblem,
} from './upstream-draft.ts';
import { WordsField } from './words-field.tsx';

interface UpstreamFieldsProps {
  readonly draft: UpstreamDraft;
  readonly choices: MeshChoices;
  /** What the coordinator says of one of its fields: `balance`, `check/path`. */
  readonly wrong: (field: string) => string | null;
  readonly onChange: (draft: UpstreamDraft) => void;
}

const PROTOCOLS: Readonly<Record<Upstream['protocol'], string>> = {
  http: 'HTTP, through the encrypted mesh',
  https: 'HTTPS, with a certificate of the mesh CA',
};
const BALANCES: Readonly<Record<BalanceKind, string>> = {
  round_robin: 'Round robin',
  least_connections: 'Least connections',
  'hash:address': 'By client address',
  'hash:path': 'By path',
  'hash:header': 'By a header',
  'hash:cookie': 'By a cookie',
};
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** How gateways reach a service: protocol, balancing, health check, weights and canary. */
export function UpstreamFields({ draft, choices, wrong, onChange }: UpstreamFieldsProps) {
  const set = (change: Partial<UpstreamDraft>) => onChange({ ...draft, ...change });
  const { kind, name } = partsOfBalance(draft.balance);
  return (
    <Stack>
      <Select
        label="Protocol"
        description="How gateways speak to the service."
        allowDeselect={false}
        data={Object.entries(PROTOCOLS).map(([value, label]) => ({ value, label }))}
        value={draft.protocol}
        error={wrong('protocol')}
        onChange={(protocol) => set({ protocol: protocol === 'https' ? 'https' : 'http' })}
      />
      <div className={classes.two}>
        <Select
          label="Balancing"
          description="How requests are spread over its nodes."
          allowDeselect={false}
          data={BALANCE_KINDS.map((value) => ({ value, label: BALANCES[value] }))}
          value={kind}
          error={wrong('balance')}
          onChange={(value) =>
            set({ balance: balanceOf(BALANCE_KINDS.find((one) => one === value) ?? 'round_robin', name ?? '') })
          }
        />
        {name !== null && (
          <TextInput
            {...PLAIN}
            label={kind === 'hash:cookie' ? 'Cookie' : 'Header'}
            description="The same value leads to the same node."
            placeholder={kind === 'hash:cookie' ? 'session' : 'X-Tenant'}
            required
            value={name}
            onChange={(event) => set({ balance: balanceOf(kind, event.currentTarget.value.trim()) })}
          />
        )}
      </div>
      <CheckFields
        check={draft.check}
        wrong={(field) => wrong(`check/${field}`)}
        onChange={(check) => set({ check })}
      />
      <WordsField
        label="Weights"
        description="Nodes that get more or less than others, which have 1. The first match counts."
        placeholder="node:web-3=5"
        initial={draft.weights}
        choices={[]}
        error={weightsProblem(draft.weights) ?? wrong('weights')}
        onChange={(weights) => set({ weights })}
      />
      <div className={classes.two}>
        <ServiceField
          label="Canary"
          description="A second service that gets a share, such as a new version."
          placeholder="None"
          value={draft.canary}
          error={wrong('canary/service')}
          choices={choices}
          onChange={(canary) => set({ canary })}
        />
        {draft.canary !== '' && (
          <NumberField
            label="Share"
            description="Of 100 requests"
            min={1}
            max={99}
            suffix=" %"
            value={draft.percent}
            error={wrong('canary/percent')}
            onChange={(percent) => set({ percent })}
          />
        )}
      </div>
    </Stack>
  );
}
