import { Select, TextInput } from '@mantine/core';
import { useRead } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';

type Choice = string | null | undefined;

interface WafFieldProps {
  readonly label: string;
  /** For those who hear the field alone, where its label says too little. */
  readonly hiddenLabel?: string;
  readonly description?: string;
  /** True: a path can have that of the ingress, which is undefined. */
  readonly inherits?: boolean;
  readonly value: Choice;
  readonly error: string | null;
  readonly onChange: (value: Choice) => void;
}

const INHERITED = 'inherited';
const NONE = 'none';
/** As many as one answer has. One beyond it is given as JSON. */
const LOOKED_AT = 200;

/** The WAF policy of an ingress, or of one of its paths. */
export function WafField({ label, hiddenLabel, inherits = false, value, onChange, ...shown }: WafFieldProps) {
  const enabled = useMay()('waf:read');
  const { data } = useRead('waf.list', { query: { limit: LOOKED_AT } }, { enabled });
  const named = hiddenLabel === undefined ? {} : { 'aria-label': hiddenLabel };
  // Who may not see policies still sees that there is one, and does not lose it.
  if (!enabled) return <TextInput {...shown} {...named} label={label} readOnly value={plainWords(value)} />;
  const policies = (data?.body.items ?? []).map(({ id, name, mode }) => ({ value: id, label: `${name} (${mode})` }));
  const isKnown = value === null || value === undefined || policies.some((one) => one.value === value);
  return (
    <Select
      {...shown}
      {...named}
      label={label}
      allowDeselect={false}
      searchable={policies.length > 10}
      data={[
        ...(inherits ? [{ value: INHERITED, label: 'As for the whole ingress' }] : []),
        { value: NONE, label: 'None' },
        ...policies,
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
      value={value === undefined ? INHERITED : (value ?? NONE)}
      onChange={(wanted) => onChange(wanted === INHERITED ? undefined : wanted === NONE ? null : wanted)}
    />
  );
}

function plainWords(value: Choice): string {
  return value === undefined ? 'As for the whole ingress' : (value ?? 'None');
}
