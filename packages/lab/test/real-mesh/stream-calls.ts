/** What the process at an end of a stream is asked and answers: see `stream.ts`. */

/** Each KiB of a stream begins with it and its number. */
export const PART_MARK = 'part of a stream';

export type StreamRequest =
  | { readonly do: 'listen' | 'state' | 'mark' | 'burst' | 'end'; readonly port: number }
  | { readonly do: 'connect'; readonly host: string; readonly port: number; readonly timeout_ms: number };

export interface EndState {
  readonly received_bytes: number;
  /** When something was last received, by the clock of the machine that all processes share. */
  readonly last_ms: number;
  /** The longest time without anything, since it was marked or opened until now. */
  readonly gap_ms: number;
  /** Null: it is open, and all that came is what was sent. Otherwise how it ended. */
  readonly ended: string | null;
}

export interface StreamAnswers {
  readonly listen: null;
  readonly connect: null;
  /** Null: no client has connected yet. */
  readonly state: EndState | null;
  readonly mark: null;
  readonly burst: null;
  readonly end: null;
}

export type StreamCall = StreamRequest & { readonly id: number };
export type StreamReply =
  | { readonly id: number; readonly result: StreamAnswers[StreamRequest['do']] }
  | { readonly id: number; readonly failed: string };
