import type { KindRows } from './kind-row.ts';

/** Where people sign in. There is one, with the id below. Absent: no panel has said it yet. */
interface PanelDocument {
  readonly url: string;
}

export const PANEL_ID = 'panel';

/** Sessions of a person at ingresses that ask for sign-in are over. The id is that of the person. */
interface EntryEndDocument {
  /** Passes that were made until then are not taken any more, by the clocks of all coordinators. */
  readonly at_ms: number;
}

export interface SignInDocuments {
  readonly panel: PanelDocument;
  readonly entry_end: EntryEndDocument;
}

export const signInKinds: KindRows<SignInDocuments> = {
  panel: { audited: true, secret: [], restorable: true },
  entry_end: { audited: false, secret: [], restorable: false },
};
