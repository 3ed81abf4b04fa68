/** How long the old secret of a rotated token stays good, as people choose it. The coordinator takes up to a day. */
import { DEFAULT_ROTATION_DEADLINE_S, MAX_ROTATION_DEADLINE_S } from '@meshwork/contract';

export const DEADLINES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '0', label: 'End it at once' },
  { value: '600', label: 'Ten minutes' },
  { value: String(DEFAULT_ROTATION_DEADLINE_S), label: 'An hour' },
  { value: String(6 * 3600), label: 'Six hours' },
  { value: String(MAX_ROTATION_DEADLINE_S), label: 'A day' },
];

export const DEFAULT_DEADLINE = String(DEFAULT_ROTATION_DEADLINE_S);
