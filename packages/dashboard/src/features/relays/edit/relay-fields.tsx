import { Group, NumberInput, PasswordInput, Radio, Select, Stack, TextInput } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { NodeField } from '../../../mesh/node-field.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import { ofKind, type RelayForm } from './relay-form.ts';

interface RelayFieldsProps {
  readonly form: RelayForm;
  readonly isNew: boolean;
  /** Of the last attempt to save. */
  readonly error: unknown;
  readonly onChange: (form: RelayForm) => void;
}

const CERTIFICATES: readonly { value: Relay['certificate']; label: string }[] = [
  { value: 'mesh', label: 'Of its node, by the mesh CA' },
  { value: 'public', label: 'For its host name, by a public authority' },
];
const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

export function RelayFields({ form, isNew, error, onChange }: RelayFieldsProps) {
  const set = (change: Partial<RelayForm>) => onChange({ ...form, ...change });
  const wrong = (field: string) => fieldError(error, `/${field}`) ?? null;
  return (
    <>
      {isNew && (
        <>
          <Radio.Group
            label="Run by"
            value={form.kind}
            onChange={(kind) => onChange(ofKind(form, kind === 'external' ? 'external' : 'node'))}
          >
            <Stack gap={6} mt={4}>
              <Radio
                value="node"
                label="A node"
                description="Its agent runs coturn, which has to be installed there."
              />
              <Radio
                value="external"
                label="A TURN server of your own"
                description="It shares a secret with the mesh."
              />
            </Stack>
          </Radio.Group>
          <TextInput
            {...PLAIN}
            label="Name"
            description="Cannot be changed later."
            placeholder="fra-1"
            required
            value={form.name}
            error={wrong('name')}
            onChange={(event) => set({ name: event.currentTarget.value.trim() })}
          />
        </>
      )}
      {form.kind === 'node' ? (
        <NodeField
          label="Node"
          description="It needs an address that other nodes reach."
          required
          value={form.node}
          error={wrong('node')}
          onChange={(node) => set({ node: node.trim() })}
        />
      ) : (
        <PasswordInput
          label="Shared secret"
          description={`static-auth-secret of coturn.${isNew ? '' : ' Leave empty to keep the present one.'}`}
          required={isNew}
          autoComplete="new-password"
          value={form.secret}
          error={wrong('secret')}
          onChange={(event) => set({ secret: event.currentTarget.value })}
        />
      )}
      <TextInput
        {...PLAIN}
        label="Host"
        description="Name or address that nodes reach it on."
        placeholder="fra-1.example.net"
        required
        value={form.host}
        error={wrong('host')}
        onChange={(event) => set({ host: event.currentTarget.value.trim() })}
      />
      <Group gap="sm" align="flex-start" grow>
        <Port
          label="Port"
          description="UDP and TCP"
          isRequired
          value={form.port}
          error={wrong('port')}
          onChange={(port) => set({ port })}
        />
        <Port
          label="TLS port"
          description="Empty for none"
          value={form.tls_port}
          error={wrong('tls_port')}
          onChange={(tls_port) => set({ tls_port })}
        />
      </Group>
      {form.tls_port !== '' && (
        <Select
          label="TLS certificate"
          data={CERTIFICATES}
          allowDeselect={false}
          value={form.certificate}
          error={wrong('certificate')}
          onChange={(certificate) => set({ certificate: certificate === 'public' ? 'public' : 'mesh' })}
        />
      )}
      <Group gap="sm" align="flex-start" grow>
        <TextInput
          {...PLAIN}
          label="Site"
          description="Standbys are at another site"
          placeholder="fra"
          value={form.site}
          error={wrong('site')}
          onChange={(event) => set({ site: event.currentTarget.value.trim() })}
        />
        <NumberInput
          label="Capacity"
          description="Nodes at most"
          required
          allowDecimal={false}
          allowNegative={false}
          min={1}
          max={1_000_000}
          value={form.capacity}
          error={wrong('capacity')}
          onChange={(capacity) => set({ capacity })}
        />
      </Group>
    </>
  );
}

interface PortProps {
  readonly label: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly value: number | string;
  readonly error: string | null;
  readonly onChange: (value: number | string) => void;
}

function Port({ label, description, isRequired = false, value, error, onChange }: PortProps) {
  return (
    <NumberInput
      label={label}
      description={description}
      required={isRequired}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      thousandSeparator={false}
      min={1}
      max={65_535}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
