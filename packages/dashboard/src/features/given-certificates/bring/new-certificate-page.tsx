import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { ScopeFields } from '../../../mesh/scope-fields.tsx';
import { Permitted } from '../../../session/permitted.tsx';
import { useSession } from '../../../session/session.tsx';
import { Page } from '../../../ui/page.tsx';
import classes from '../../../ui/record.module.css';
import { fieldError } from '../../../ui/said-of-error.ts';
import { Section } from '../../../ui/section.tsx';
import { PemForm } from './pem-form.tsx';

export default function NewCertificatePage() {
  return (
    <Page
      title="Add certificate"
      subtitle="For ingresses, from an authority of your choice."
      back={{ to: '/given-certificates', label: 'Given certificates' }}
    >
      <Permitted permission="given_certificates:write" doing="Bringing a certificate">
        <NewCertificate />
      </Permitted>
    </Page>
  );
}

function NewCertificate() {
  const own = useSession().user.scope;
  const [name, setName] = useState('');
  const [scope, setScope] = useState(own);
  const create = useAction('given_certificates.create', { quiet: true, touches: ['overview', 'audit'] });
  const navigate = useNavigate();
  return (
    <PemForm
      isReady={name !== ''}
      action="Add certificate"
      cancel="/given-certificates"
      error={create.error}
      isRunning={create.isRunning}
      onSubmit={async (pem) => {
        const { body } = await create.run({ body: { name, scope, ...pem } });
        await navigate({ to: '/given-certificates/$id', params: { id: body.id } });
      }}
    >
      <Section title="Name and scope">
        <div className={classes.fields}>
          <TextInput
            label="Name"
            description="What people of your organisation call it. A renewed certificate keeps it."
            placeholder="shop"
            required
            mb="md"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={name}
            error={fieldError(create.error, '/name') ?? null}
            onChange={(event) => setName(event.currentTarget.value.trim().toLowerCase())}
          />
          <ScopeFields
            meaning="Ingresses inside this scope can show it."
            own={own}
            value={scope}
            onChange={setScope}
            error={fieldError(create.error, '/scope')}
          />
        </div>
      </Section>
    </PemForm>
  );
}
