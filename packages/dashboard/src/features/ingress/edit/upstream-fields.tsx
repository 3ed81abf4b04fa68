import { Select, Stack, Switch, TextInput } from '@mantine/core';
import type { Upstream } from '@meshwork/contract';
import { NumberField } from '../../../ui/number-field.tsx';
import { WordsField } from '../../../ui/words-field.tsx';
import type { IngressKind } from '../ingress-kinds.ts';
import { CheckFields } from './check-fields.tsx';
import classes from './edit.module.css';
import type { MeshChoices } from './mesh-choices.ts';
import { ServiceField } from './service-field.tsx';
import {
  BALANCE_KINDS,
  type BalanceKind,
  balanceOf,
  checkFor,
  checksFor,
  partsOfBalance,
  type UpstreamDraft,
  weightsProblem,
} from './upstream-draft.ts';

interface UpstreamFieldsProps {
  readonly kind: IngressKind;
  readonly draft: UpstreamDraft;
  readonly choices: MeshChoices;
  /** What the coordinator says of one of its fields: `balance`, `check/path`. */
  readonly wrong: (field: string) => string | null;
  readonly onChange: (draft: UpstreamDraft) => void;
}

/** What gateways can speak for requests. Of the other kinds they pass on bytes. */
const PROTOCOLS: readonly { readonly value: Upstream['protocol']; readonly label: string }[] = [
  { value: 'http', label: 'HTTP, through the encrypted mesh' },
  { value: 'https', label: 'HTTPS, with a certificate of the mesh CA' },
  { value: 'grpc', label: 'gRPC, through the encrypted mesh' },
  { value: 'grpcs', label: 'gRPC with TLS, with a certificate of the mesh CA' },
];
const BALANCES: Readonly<Record<BalanceKind, string>> = {
  round_robin: 'Round robin',
  least_connections: 'Least connections',
  'hash:address': 'By client address',
  'hash:path': 'By path',
  'hash:header': 'By a header',
  'hash:cookie': 'By a cookie',
};
/** What gateways see of a client where they do not look into what passes. */
const BALANCES_OF_BYTES: readonly BalanceKind[] = ['round_robin', 'least_connections', 'hash:address'];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** How gateways reach a service: protocol, balancing, health check, weights and canary. */
export function UpstreamFields({ kind, draft, choices, wrong, onChange }: UpstreamFieldsProps) {
  const set = (change: Partial<UpstreamDraft>) => onChange({ ...draft, ...change });
  const { kind: balance, name } = partsOfBalance(draft.balance);
  const isHttp = kind === 'http';
  return (
    <Stack>
      {isHttp && (
        <Select
          label="Protocol"
          description="How gateways speak to the service."
          allowDeselect={false}
          data={PROTOCOLS}
          value={draft.protocol}
          error={wrong('protocol')}
          onChange={(value) => {
            const protocol = PROTOCOLS.find((one) => one.value === value)?.value ?? 'http';
            set({ protocol, check: checkFor(protocol, draft.check) });
          }}
        />
      )}
      {(kind === 'tcp' || kind === 'tls') && (
        <Switch
          label="Send the PROXY protocol"
          description="Tells the service the address of the client. The service has to expect it."
          checked={draft.proxy_protocol}
          error={wrong('proxy_protocol')}
          onChange={(event) => set({ proxy_protocol: event.currentTarget.checked })}
        />
      )}
      <div className={classes.two}>
        <Select
          label="Balancing"
          description={`How ${isHttp ? 'requests' : 'connections'} are spread over its nodes.`}
          allowDeselect={false}
          data={(isHttp ? BALANCE_KINDS : BALANCES_OF_BYTES).map((value) => ({ value, label: BALANCES[value] }))}
          value={balance}
          error={wrong('balance')}
          onChange={(value) =>
            set({ balance: balanceOf(BALANCE_KINDS.find((one) => one === value) ?? 'round_robin', name ?? '') })
          }
        />
        {name !== null && (
          <TextInput
            {...PLAIN}
            label={balance === 'hash:cookie' ? 'Cookie' : 'Header'}
            description="The same value leads to the same node."
            placeholder={balance === 'hash:cookie' ? 'session' : 'X-Tenant'}
            required
            value={name}
            onChange={(event) => set({ balance: balanceOf(balance, event.currentTarget.value.trim()) })}
          />
        )}
      </div>
      <CheckFields
        kinds={checksFor(kind, draft.protocol)}
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
            description={`Of 100 ${isHttp ? 'requests' : 'connections'}`}
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
