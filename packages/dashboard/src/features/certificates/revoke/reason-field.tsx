import { Select } from '@mantine/core';
import type { RevocationReason } from '@meshwork/contract';
import { REVOCATION_REASONS } from '@meshwork/contract/vocabulary';
import { REASON_WORDS } from '../certificate-words.ts';

interface ReasonFieldProps {
  readonly value: RevocationReason;
  readonly onChange: (value: RevocationReason) => void;
}

const REASONS = REVOCATION_REASONS.map((reason) => ({ value: reason, label: REASON_WORDS[reason] }));

export function ReasonField({ value, onChange }: ReasonFieldProps) {
  return (
    <Select
      label="Reason"
      description="Published in the revocation list, and shown in the audit trail."
      data={REASONS}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => onChange(REVOCATION_REASONS.find((one) => one === chosen) ?? value)}
    />
  );
}
