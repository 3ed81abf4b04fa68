/**
 * A way in which programs on the host come to ask the agent for names. There is one file beside this for each, and
 * `host-resolver.ts` chooses. What is not of the mesh stays with the servers that the host had before.
 */

/** What the resolver of the host is to know. */
export interface ResolverSetup {
  /** Where the agent answers, IPv4 first. */
  readonly addresses: readonly string[];
  /** Domains beside the mesh's own that it answers for: those of its addresses, routing domains, and names of ingresses. */
  readonly domains: readonly string[];
}

export interface ResolverWay {
  /** As operators know it. */
  readonly name: string;
  /** A file that it shares with other programs. */
  readonly file?: string;
  /** Why it is not for this host. Undefined: it is. Changes nothing. */
  unusable(): Promise<string | undefined>;
  apply(setup: ResolverSetup): Promise<void>;
  /**
   * The servers of the host beside the agent. Absent: programs go on to them when the agent refuses. Where they do not, the agent
   * has to ask them for what lies in one of its domains and is not its own.
   */
  others?(): Promise<readonly string[]>;
  /** Takes away what agents ever made with it, also when its program is gone. */
  remove(): Promise<void>;
}

/** Where programs read which servers to ask. */
export const RESOLV_CONF = '/etc/resolv.conf';
