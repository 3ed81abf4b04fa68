import { Autocomplete, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { problemAt } from '../edit/field-problems.ts';
import classes from './bench.module.css';
import { type BenchDraft, headersProblem } from './bench-draft.ts';

interface BenchFieldsProps {
  readonly draft: BenchDraft;
  /** Host names that use the policy. */
  readonly hosts: readonly string[];
  /** Gateways of the policy, and the one that is to try it. Null: any that can. */
  readonly gateways: readonly { readonly node: string; readonly name: string }[];
  readonly gateway: string | null;
  readonly error: unknown;
  readonly onChange: (draft: BenchDraft) => void;
  readonly onGateway: (gateway: string | null) => void;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

export function BenchFields({ draft, hosts, gateways, gateway, error, onChange, onGateway }: BenchFieldsProps) {
  const set = (change: Partial<BenchDraft>) => onChange({ ...draft, ...change });
  const wrong = (field: string) => problemAt(error, `/request/${field}`);
  return (
    <Stack>
      <div className={classes.line}>
        <Autocomplete
          {...PLAIN}
          label="Method"
          data={METHODS}
          value={draft.method}
          error={wrong('method')}
          onChange={(method) => set({ method })}
        />
        <Autocomplete
          {...PLAIN}
          label="Host name"
          data={[...hosts]}
          value={draft.host}
          error={wrong('host')}
          onChange={(host) => set({ host })}
        />
      </div>
      <TextInput
        {...PLAIN}
        label="Path and query"
        required
        classNames={{ input: classes.mono ?? '' }}
        value={draft.uri}
        error={wrong('uri')}
        onChange={(event) => set({ uri: event.currentTarget.value })}
      />
      <Textarea
        {...PLAIN}
        label="Headers"
        description="One a line, beside Host and Content-Length."
        autosize
        minRows={2}
        classNames={{ input: classes.mono ?? '' }}
        value={draft.headers}
        error={headersProblem(draft.headers) ?? wrong('headers')}
        onChange={(event) => set({ headers: event.currentTarget.value })}
      />
      <Textarea
        {...PLAIN}
        label="Body"
        placeholder="None"
        autosize
        minRows={2}
        maxRows={12}
        classNames={{ input: classes.mono ?? '' }}
        value={draft.body}
        error={wrong('body')}
        onChange={(event) => set({ body: event.currentTarget.value })}
      />
      <div className={classes.line}>
        <TextInput
          {...PLAIN}
          label="Client address"
          value={draft.address}
          error={wrong('address')}
          onChange={(event) => set({ address: event.currentTarget.value })}
        />
        <Select
          label="Gateway"
          placeholder="Any that can"
          clearable
          data={gateways.map(({ node, name }) => ({ value: node, label: name }))}
          value={gateway}
          error={problemAt(error, '/gateway')}
          onChange={onGateway}
        />
      </div>
    </Stack>
  );
}
