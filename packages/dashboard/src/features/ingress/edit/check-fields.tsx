import { Select, TextInput } from '@mantine/core';
import type { Upstream } from '@meshwork/contract';
import { NumberField } from '../../../ui/number-field.tsx';
import classes from './edit.module.css';

type Check = Upstream['check'];

interface CheckFieldsProps {
  /** Those that find out something about a service of this kind. */
  readonly kinds: readonly Check['kind'][];
  readonly check: Check;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (check: Check) => void;
}

const KINDS: Readonly<Record<Check['kind'], string>> = {
  tcp: 'TCP: it takes connections',
  http: 'HTTP: it answers a request',
  grpc: 'gRPC: it reports that it serves',
  none: 'None: up until requests fail',
};
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** How gateways find out whether a node answers. */
export function CheckFields({ kinds, check, wrong, onChange }: CheckFieldsProps) {
  const set = (change: Partial<Check>) => onChange({ ...check, ...change });
  return (
    <>
      <Select
        label="Health check"
        description="Nodes that fail it get no requests."
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: KINDS[value] }))}
        value={check.kind}
        error={wrong('kind')}
        onChange={(value) => set({ kind: kinds.find((one) => one === value) ?? check.kind })}
      />
      {check.kind === 'http' && (
        <div className={classes.several}>
          <TextInput
            {...PLAIN}
            label="Check path"
            placeholder="/healthz"
            required
            value={check.path}
            error={wrong('path')}
            onChange={(event) => set({ path: event.currentTarget.value.trim() })}
          />
          <TextInput
            {...PLAIN}
            label="Expected status"
            placeholder="200-399"
            required
            value={check.status}
            error={wrong('status')}
            onChange={(event) => set({ status: event.currentTarget.value.trim() })}
          />
          <TextInput
            {...PLAIN}
            label="Expected text"
            placeholder="Anything"
            value={check.body ?? ''}
            error={wrong('body')}
            onChange={(event) => set({ body: event.currentTarget.value === '' ? null : event.currentTarget.value })}
          />
        </div>
      )}
      {check.kind === 'grpc' && (
        <TextInput
          {...PLAIN}
          label="gRPC service"
          description="Which one the check asks about, by the gRPC health protocol."
          placeholder="The program as a whole"
          value={check.grpc_service ?? ''}
          error={wrong('grpc_service')}
          onChange={(event) => {
            const name = event.currentTarget.value.trim();
            set({ grpc_service: name === '' ? null : name });
          }}
        />
      )}
      {check.kind !== 'none' && (
        <div className={classes.several}>
          <NumberField
            label="Interval"
            suffix=" s"
            min={1}
            max={300}
            value={check.interval_s}
            error={wrong('interval_s')}
            onChange={(interval_s) => set({ interval_s })}
          />
          <NumberField
            label="Timeout"
            suffix=" s"
            min={1}
            max={60}
            value={check.timeout_s}
            error={wrong('timeout_s')}
            onChange={(timeout_s) => set({ timeout_s })}
          />
          <NumberField
            label="Up after"
            suffix=" passes"
            min={1}
            max={20}
            value={check.rise}
            error={wrong('rise')}
            onChange={(rise) => set({ rise })}
          />
          <NumberField
            label="Down after"
            suffix=" failures"
            min={1}
            max={20}
            value={check.fall}
            error={wrong('fall')}
            onChange={(fall) => set({ fall })}
          />
        </div>
      )}
    </>
  );
}
