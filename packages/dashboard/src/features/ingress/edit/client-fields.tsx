import { Select } from '@mantine/core';
import type { Ingress } from '@meshwork/contract';
import { WordsField } from '../../../ui/words-field.tsx';
import { CLIENTS_WORDS } from '../ingress-words.ts';
import { withClients } from './ingress-draft.ts';

type Tls = Ingress['tls'];

interface ClientFieldsProps {
  readonly tls: Tls;
  readonly wrong: (field: string) => string | null;
  readonly onChange: (tls: Tls) => void;
}

const CHOICES = (['none', 'optional', 'required'] as const).map((value) => ({ value, label: CLIENTS_WORDS[value] }));

/** Which certificates clients have to show. */
export function ClientFields({ tls, wrong, onChange }: ClientFieldsProps) {
  return (
    <>
      <Select
        label="Client certificates"
        description="By the mesh CA. The service gets the names of the certificate in headers."
        allowDeselect={false}
        data={CHOICES}
        value={tls.clients}
        error={wrong('clients')}
        onChange={(value) => onChange(withClients(tls, CHOICES.find((one) => one.value === value)?.value ?? 'none'))}
      />
      {tls.clients !== 'none' && (
        <WordsField
          label="Names that may connect"
          description="DNS names and SPIFFE ids of certificates, exactly. Empty: every client certificate by the mesh CA."
          placeholder="git-1.mesh"
          initial={tls.client_names}
          choices={[]}
          error={wrong('client_names')}
          onChange={(client_names) => onChange({ ...tls, client_names: [...client_names] })}
        />
      )}
    </>
  );
}
