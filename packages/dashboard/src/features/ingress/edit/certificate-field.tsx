import { Select } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';

interface CertificateFieldProps {
  /** `mesh`, `none`, or the id of a given certificate or of an outside authority. */
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
  const may = useMay();
  const query = { limit: LOOKED_AT };
  const certificates = useRead('given_certificates.list', { query }, { enabled: may('given_certificates:read') });
  const authorities = useRead('outside_authorities.list', { query }, { enabled: may('outside_authorities:read') });
  const issued = (authorities.data?.body.items ?? []).map(({ id, name }) => ({
    value: id,
    label: `On, with a certificate that ${name} issues`,
  }));
  const given = (certificates.data?.body.items ?? [])
    .filter(({ authority }) => authority === null) // others come by their authority
    .map(({ id, name, names }) => ({
      value: id,
      label: `On, with the given certificate ${name} (${names.slice(0, SHOWN_NAMES).join(', ')}${names.length > SHOWN_NAMES ? ', …' : ''})`,
    }));
  const all = [...OWN, ...issued, ...given];
  // Who may not see certificates still sees that there is one, and does not lose it.
  const isKnown = all.some((one) => one.value === value);
  return (
    <Select
      label="TLS"
      description="Between clients and gateways. The mesh CA has to certify the domain; a given certificate has to be for the host name. For outside authorities, DNS has to lead to the gateways from outside."
      allowDeselect={false}
      searchable={all.length > 12}
      data={[...all, ...(isKnown ? [] : [{ value, label: `On, with ${value}` }])]}
      value={value}
      error={error}
      onChange={(wanted) => {
        if (wanted !== null) onChange(wanted);
      }}
    />
  );
}
