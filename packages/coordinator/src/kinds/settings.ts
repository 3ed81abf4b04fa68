import type { Settings } from '@meshwork/contract';
import type { KindRows } from './kind-row.ts';

export interface SettingsDocuments {
  /** There is one, `mesh`. Absent: all defaults. */
  readonly settings: Settings;
}

export const settingsKinds: KindRows<SettingsDocuments> = {
  settings: { audited: true, secret: [], restorable: true },
};
