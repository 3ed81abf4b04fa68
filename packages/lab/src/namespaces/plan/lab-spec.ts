/** A lab as an operator describes it. `lab-plan.ts` resolves it. */
export interface LabSpec {
  /** Letters and digits. It is part of the name of everything that the lab makes on this machine. */
  readonly name: string;
  readonly nodes: readonly NodeSpec[];
  readonly subnets?: readonly SubnetSpec[] | undefined;
}

export interface NodeSpec {
  /** Its name in the lab and in the mesh. */
  readonly name: string;
  readonly tags?: readonly string[] | undefined;
  /** Behind a router of its own, which translates addresses: it can open connections, and others cannot open one to it. */
  readonly nat?: boolean | undefined;
  /** Networks that it offers to forward to, besides the subnets it is a provider of. */
  readonly routes?: readonly string[] | undefined;
  /** As `mesh agent enroll --accept-routes` takes it. Absent: the default of the agent. */
  readonly accept_routes?: 'all' | 'subnets' | 'none' | undefined;
  /** As `mesh agent enroll --service` takes them: `web:tcp:80`. */
  readonly services?: readonly string[] | undefined;
}

/** A network behind nodes, with one host in it that knows nothing of the mesh. */
export interface SubnetSpec {
  readonly cidr: string;
  /** Nodes that have a leg in it, and offer to forward to it. */
  readonly providers: readonly string[];
}

/** How the coordinator is called where links are cut. */
export const COORDINATOR = 'coordinator';
