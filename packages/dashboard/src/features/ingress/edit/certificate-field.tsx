import { Select } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';

interface CertificateFieldProps {
  /** `mesh`, `none`, or the id of a given certificate. */
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (value: string) => void;
}

const OWN = [
  { value: 'mesh', label: 'On, with a certificate by the mesh CA' },
  { value: 'none', label: 'Off, plain HTTP only' },
];
/** As many as one answer has. One beyond it is given as JSON. */
const LOOKED_AT = 200;
const SHOWN_NAMES = 2;

/** What gateways show to clients. */
export function CertificateField({ value, error, onChange }: CertificateFieldProps) {
  const enabled = useMay()('given_certificates:read');
  const { data } = useRead('given_certificates.list', { query: { limit: LOOKED_AT } }, { enabled });
  const given = (data?.body.items ?? []).map(({ id, name, names }) => ({
    value: id,
    label: `On, with the given certificate ${name} (${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''})`,
  }));
  const all = [...OWN, ...given];
  // Who may not see certificates still sees that there is one, and does not lose it.
  const isKnown = all.some((one) => one.value === value);
  return (
    <Select
      label="TLS"
      description="Between clients and gateways. The mesh CA has to certify the domain; a given certificate has to be for the host name."
      allowDeselect={false}
      searchable={given.length > 10}
      data={[...all, ...(isKnown ? [] : [{ value, label: `On, with the given certificate ${value}` }])]}
      value={value}
      error={error}
      onChange={(wanted) => {
        if (wanted !== null) onChange(wanted);
      }}
    />
  );
}
