import { Stack, Switch, TextInput } from '@mantine/core';
import { NumberField } from '../../../ui/number-field.tsx';
import { Section } from '../../../ui/section.tsx';
import { hasPort, KIND_WORDS } from '../ingress-kinds.ts';
import { CertificateField } from './certificate-field.tsx';
import { ClientFields } from './client-fields.tsx';
import classes from './edit.module.css';
import { type IngressDraft, withCertificate } from './ingress-draft.ts';

interface AddressFieldsProps {
  readonly draft: IngressDraft;
  readonly isNew: boolean;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (change: Partial<IngressDraft>) => void;
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

/** What it is called, and where clients outside connect to. */
export function AddressFields({ draft, isNew, wrong, onChange }: AddressFieldsProps) {
  const { kind, tls } = draft;
  return (
    <Section
      title="Address"
      {...(isNew ? {} : { description: `Of the kind ${KIND_WORDS[kind]}, which cannot be changed.` })}
    >
      <Stack className={classes.readable}>
        <TextInput
          {...PLAIN}
          label="Name"
          description="What people of your organisation call it."
          placeholder="shop"
          required
          value={draft.name}
          error={wrong('name')}
          onChange={(event) => onChange({ name: event.currentTarget.value.trim().toLowerCase() })}
        />
        <TextInput
          {...PLAIN}
          label="Host name"
          description="What clients outside enter. Its DNS record has to lead to the gateways."
          placeholder="shop.example.net"
          required
          value={draft.hostname}
          error={wrong('hostname')}
          onChange={(event) => onChange({ hostname: event.currentTarget.value.trim().toLowerCase() })}
        />
        {hasPort(kind) && (
          <NumberField
            label="Port"
            description={`${KIND_WORDS[kind]} port of the gateways. Whatever comes to it belongs to this ingress.`}
            placeholder="5432"
            min={1}
            max={65_535}
            value={draft.port}
            error={wrong('port')}
            onChange={(port) => onChange({ port })}
          />
        )}
        {kind === 'http' && (
          <CertificateField
            value={tls.certificate}
            error={wrong('tls/certificate')}
            onChange={(value) => onChange({ tls: withCertificate(tls, value) })}
          />
        )}
        {kind === 'http' && tls.certificate !== 'none' && (
          <>
            <Switch
              label="Redirect plain HTTP to HTTPS"
              checked={tls.redirect}
              disabled={tls.clients === 'required'}
              onChange={(event) => onChange({ tls: { ...tls, redirect: event.currentTarget.checked } })}
            />
            <ClientFields
              tls={tls}
              wrong={(field) => wrong(`tls/${field}`)}
              onChange={(next) => onChange({ tls: next })}
            />
          </>
        )}
      </Stack>
    </Section>
  );
}
