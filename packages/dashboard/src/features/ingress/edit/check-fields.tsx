import { Select, TextInput } from '@mantine/core';
import type { Upstream } from '@meshwork/contract';
import classes from './edit.module.css';
import { NumberField } from './number-field.tsx';

type Check = Upstream['check'];

interface CheckFieldsProps {
  readonly check: Check;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (check: Check) => void;
}

const KINDS: Readonly<Record<Check['kind'], string>> = {
  tcp: 'TCP: it takes connections',
  http: 'HTTP: it answers a request',
  none: 'None: up until requests fail',
};
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** How gateways find out whether a node answers. */
export function CheckFields({ check, wrong, onChange }: CheckFieldsProps) {
  const set = (change: Partial<Check>) => onChange({ ...check, ...change });
  return (
    <>
      <Select
        label="Health check"
        description="Nodes that fail it get no requests."
        allowDeselect={false}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={check.kind}
        error={wrong('kind')}
        onChange={(kind) => set({ kind: kind === 'http' || kind === 'none' ? kind : 'tcp' })}
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
