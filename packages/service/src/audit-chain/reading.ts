import type { ChainPoint } from '@meshwork/contract/chain';
import type { Entry } from '@meshwork/store';

/** What the check reads of an entry's text. Only the service that wrote the entry knows the rest. */
export interface Reading {
  /** What the entry must be filed under. */
  readonly text: {
    readonly id: string;
    readonly at: string;
    readonly action: string;
    readonly actor: { readonly id: string | null };
    readonly target: { readonly id: string } | null;
  };
  /** Up to where the entry says that retention removes. Undefined: it is about something else. */
  readonly trimmed?: ChainPoint | undefined;
}

/** Undefined: the text is not that of an entry of this log. */
export type Reader = (entry: Entry) => Reading | undefined;
