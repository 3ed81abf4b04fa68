/** What a prober is asked and answers: see `lab-prober.ts`. */
export type Protocol = 'tcp' | 'udp';

export type ProbeRequest =
  | { readonly do: 'listen' | 'hush'; readonly protocol: Protocol; readonly port: number }
  | {
      readonly do: 'connect';
      readonly protocol: Protocol;
      readonly host: string;
      readonly port: number;
      readonly timeout_ms: number;
    }
  | { readonly do: 'flow'; readonly host: string; readonly port: number; readonly timeout_ms: number }
  | { readonly do: 'flow_state' | 'end_flow'; readonly flow: number }
  | { readonly do: 'lookup'; readonly name: string }
  | { readonly do: 'beat'; readonly host: string; readonly port: number; readonly every_ms: number }
  | { readonly do: 'end_beat'; readonly beat: number };

export interface Contact {
  /**
   * `connected`: with UDP, an answer came back. `refused`: the other side refused. `unreachable`: a router on the way did.
   * `timed out`: no answer came.
   */
  readonly outcome: 'connected' | 'refused' | 'unreachable' | 'timed out';
  readonly ms: number;
}

/** A connection that says a little all the time, to a listener that says it back. */
export interface FlowState {
  readonly sent_bytes: number;
  /** What came back: the measure of progress. */
  readonly returned_bytes: number;
  /** Since something last came back. */
  readonly quiet_ms: number;
  /** Null: it is open. Otherwise how it ended: `closed`, or the code of the error. */
  readonly ended: string | null;
}

/** A time during which the datagrams of a beat were answered. In milliseconds since 1970. */
export interface Opening {
  readonly from_ms: number;
  readonly to_ms: number;
}

export interface ProbeAnswers {
  readonly listen: null;
  readonly hush: null;
  readonly connect: Contact;
  readonly flow: number;
  readonly flow_state: FlowState;
  readonly end_flow: null;
  readonly lookup: readonly string[];
  readonly beat: number;
  readonly end_beat: readonly Opening[];
}
