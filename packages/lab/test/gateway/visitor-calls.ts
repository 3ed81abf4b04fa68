/** What visitors of a test are asked: see `visitors.ts`. */

/** Where an ingress is reached, as someone outside of the mesh sees it. */
export interface Entrance {
  /** Addresses of gateways, as DNS has them. A visitor takes the next when one takes no connection. */
  readonly addresses: readonly string[];
  readonly port: number;
  readonly host: string;
  /** A root in PEM. Absent: plain HTTP. */
  readonly ca?: string;
  /** What the visitor shows of itself, in PEM. Absent: nothing. */
  readonly client?: { readonly cert: string; readonly key: string };
}

export type VisitorRequest =
  | {
      readonly do: 'get';
      readonly entrance: Entrance;
      readonly path: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Bytes of a body, which is then sent by POST. */
      readonly upload?: number;
    }
  | { readonly do: 'get2'; readonly entrance: Entrance; readonly path: string }
  | { readonly do: 'load'; readonly entrance: Entrance; readonly path: string; readonly visitors: number }
  | { readonly do: 'lead'; readonly load: number; readonly addresses: readonly string[] }
  | { readonly do: 'load_state' | 'end_load'; readonly load: number }
  | { readonly do: 'socket'; readonly entrance: Entrance; readonly path: string }
  /** A TCP connection that says a little all the time. Answers as `socket` does. */
  | { readonly do: 'connection'; readonly address: string; readonly port: number }
  | { readonly do: 'datagram'; readonly address: string; readonly port: number; readonly text: string }
  | { readonly do: 'grpc'; readonly entrance: Entrance; readonly messages: readonly string[] }
  | { readonly do: 'pass_through'; readonly entrance: Entrance }
  | { readonly do: 'socket_state' | 'end_socket'; readonly socket: number };

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface LoadState {
  readonly answered: number;
  /** By the name that the service says. */
  readonly by: Readonly<Record<string, number>>;
  /** Sent again, as browsers do, because a connection that had been idle was closed before any answer. */
  readonly retried: number;
  readonly failed: readonly string[];
}

export interface SocketState {
  readonly service: string;
  readonly sent_bytes: number;
  readonly returned_bytes: number;
  /** Null: it is open. */
  readonly ended: string | null;
}

export interface GrpcAnswer {
  /** Of gRPC: `0` is well. */
  readonly status: string;
  readonly service: string;
  readonly returned: readonly string[];
}

export interface PassedThrough {
  /** Of the certificate. */
  readonly names: string;
  readonly service: string;
}

export interface VisitorReplies {
  readonly get: Page;
  readonly get2: Page;
  readonly load: number;
  readonly lead: null;
  readonly load_state: LoadState;
  readonly end_load: LoadState;
  readonly socket: number;
  readonly connection: number;
  readonly datagram: string;
  readonly grpc: GrpcAnswer;
  readonly pass_through: PassedThrough;
  readonly socket_state: SocketState;
  readonly end_socket: null;
}
