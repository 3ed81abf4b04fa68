import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { DnsRecord } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { useSession } from '../../../session/session.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { fieldError } from '../../../ui/said-of-error.ts';
import { AddressesInput } from './addresses-input.tsx';
import { changesOf, emptyForm, formOf, isComplete, newRecord, type RecordForm } from './record-form.ts';

interface RecordDialogProps {
  /** Null: a new one. */
  readonly record: DnsRecord | null;
  readonly onClose: () => void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** Creates a record, or changes what one leads to. Its name and its boundary stay. */
export function RecordDialog({ record, onClose }: RecordDialogProps) {
  const own = useSession().user.scope;
  const [form, setForm] = useState<RecordForm>(() => (record === null ? emptyForm(own) : formOf(record)));
  const create = useAction('dns.create', { quiet: true, touches: ['audit'], done: ({ fqdn }) => `${fqdn} created` });
  const update = useAction('dns.update', { quiet: true, touches: ['audit'], done: ({ fqdn }) => `${fqdn} saved` });
  const { error, isRunning } = record === null ? create : update;
  const isReady = isComplete(form) && (record === null || Object.keys(changesOf(form, record)).length > 0);
  const save = async () => {
    if (record === null) await create.run({ body: newRecord(form) });
    else {
      const body = changesOf(form, record);
      await update.run({ params: { id: record.id }, body, if_match: `"${record.revision}"` });
    }
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) void save().catch(() => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened onClose={onClose} title={record === null ? 'New record' : `Edit ${record.fqdn}`} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Fields form={form} isNew={record === null} error={error} onChange={setForm} />
          {record === null && (
            <ScopeFields
              meaning="Nodes with these tags resolve it (team:, surface:, env:)."
              own={own}
              value={form.scope}
              onChange={(scope) => setForm({ ...form, scope })}
              error={error}
            />
          )}
          {error !== null && <ProblemNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={isRunning}>
              {record === null ? 'Create record' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  readonly form: RecordForm;
  readonly isNew: boolean;
  readonly error: unknown;
  readonly onChange: (form: RecordForm) => void;
}

function Fields({ form, isNew, error, onChange }: FieldsProps) {
  const set = (change: Partial<RecordForm>) => onChange({ ...form, ...change });
  const wrong = (field: string) => fieldError(error, `/${field}`) ?? null;
  return (
    <>
      {isNew && (
        <TextInput
          {...PLAIN}
          label="Name"
          description="Below the domain of the mesh. *.apps covers every name below apps.mesh that is not there itself."
          placeholder="wiki"
          required
          rightSection={
            <Text size="sm" c="dimmed">
              .mesh
            </Text>
          }
          rightSectionWidth={60}
          value={form.name}
          error={wrong('name')}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
      )}
      <SegmentedControl
        aria-label="Leads to"
        data={[
          { value: 'addresses', label: 'Addresses' },
          { value: 'alias', label: 'Another name' },
        ]}
        value={form.kind}
        onChange={(kind) => set({ kind: kind === 'alias' ? 'alias' : 'addresses' })}
      />
      {form.kind === 'addresses' ? (
        <AddressesInput
          initial={form.addresses}
          error={wrong('addresses')}
          onChange={(addresses) => set({ addresses })}
        />
      ) : (
        <TextInput
          {...PLAIN}
          label="Alias of"
          description="A name of the mesh (CNAME)."
          placeholder="web-1.mesh"
          required
          value={form.cname}
          error={wrong('cname')}
          onChange={(event) => set({ cname: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Note"
        maxLength={500}
        autoComplete="off"
        value={form.note}
        error={wrong('note')}
        onChange={(event) => set({ note: event.currentTarget.value })}
      />
    </>
  );
}
