/** What the agent needs of the host's names: a block of `/etc/hosts` that is its own. */
export interface HostName {
  readonly name: string;
  /** Without prefix. */
  readonly addresses: readonly string[];
}

export interface HostNames {
  /** Of the file. */
  readonly path: string;
  apply(names: readonly HostName[]): Promise<void>;
  /** How what is there differs from what was last asked for, in words, or null. */
  drift(): Promise<string | null>;
  remove(): Promise<void>;
}
