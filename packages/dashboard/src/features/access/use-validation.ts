import { Text } from '@codemirror/state';
import { useDebouncedValue } from '@mantine/hooks';
import type { PolicyWarning, Validation } from '@meshwork/contract';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { faultsOf, type PolicyFault } from './editor/diagnostics.ts';

export interface Checked {
  readonly faults: readonly PolicyFault[];
  /** True: this is about a text that is a little older, and the next answer is on its way. */
  readonly is_checking: boolean;
  /** It could be put into effect. Undefined: not validated yet. */
  readonly is_valid: boolean | undefined;
  readonly warnings: readonly PolicyWarning[];
  readonly error: unknown;
  readonly again: () => void;
}

const PAUSE_MS = 350;
const NO_FAULTS: readonly PolicyFault[] = [];
const NO_WARNINGS: readonly PolicyWarning[] = [];

interface Known {
  readonly validation: Validation;
  readonly faults: readonly PolicyFault[];
}

/** What is wrong with the text, as soon as typing pauses. An answer about an older text is never shown for a newer. */
export function useValidation(text: string): Checked {
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const query = useRead('acls.validate', { body: asked }, { keep: true });
  const [known, setKnown] = useState<Known>();
  const validation = query.isPlaceholderData ? undefined : query.data?.body;
  if (validation !== undefined && known?.validation !== validation) {
    setKnown({ validation, faults: faultsOf(Text.of(asked.split('\n')), validation) });
  }
  return {
    faults: known?.faults ?? NO_FAULTS,
    is_checking: asked !== text || query.isPlaceholderData || query.isPending,
    is_valid: known?.validation.valid,
    warnings: known?.validation.warnings ?? NO_WARNINGS,
    error: query.error,
    again: () => void query.refetch(),
  };
}
