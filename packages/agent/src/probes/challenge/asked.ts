export interface Ports {
  readonly http: number;
  readonly https: number;
}

/** One address of the node, asked about a name. */
export interface Asked {
  readonly name: string;
  readonly token: string;
  readonly address: string;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}
