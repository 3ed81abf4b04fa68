import type { Settings } from '@meshwork/contract';
import type {
  AnswerDocument,
  AssignmentDocument,
  ClaimDocument,
  DriftDocument,
  FirewallDocument,
  FormerNameDocument,
  IngressDocument,
  InstallationDocument,
  LivenessDocument,
  NodeDocument,
  OperationDocument,
  OverlapDocument,
  PlacementDocument,
  PolicyDocument,
  ProofDocument,
  RelayDocument,
  RepairDocument,
  ReportDocument,
  RoleDocument,
  RollbackDocument,
  RouteDocument,
  TokenDocument,
} from './documents.ts';

export type * from './documents.ts';

interface Documents {
  readonly token: TokenDocument;
  readonly role: RoleDocument;
  /** There is one, `mesh`. Absent: all defaults. */
  readonly settings: Settings;
  readonly installation: InstallationDocument;
  readonly answer: AnswerDocument;
  readonly node: NodeDocument;
  readonly report: ReportDocument;
  readonly liveness: LivenessDocument;
  readonly drift: DriftDocument;
  readonly repair: RepairDocument;
  readonly rollback: RollbackDocument;
  readonly assignment: AssignmentDocument;
  readonly route: RouteDocument;
  readonly overlap: OverlapDocument;
  readonly placement: PlacementDocument;
  readonly claim: ClaimDocument;
  readonly former_name: FormerNameDocument;
  readonly proof: ProofDocument;
  readonly operation: OperationDocument;
  readonly relay: RelayDocument;
  readonly ingress: IngressDocument;
  readonly policy: PolicyDocument;
  readonly firewall: FirewallDocument;
}

export type Kind = keyof Documents;
export type BodyOf<K extends Kind> = Documents[K];

interface KindRow {
  /** Whether a change of it belongs into the audit trail: whether somebody did it. */
  readonly audited: boolean;
  /** Fields that never leave the store, not even into the audit trail. */
  readonly secret: readonly string[];
  /** Fields that are too long for the audit trail, and are kept for good elsewhere. */
  readonly bulky?: readonly string[];
}

/** The one table of what the mesh is made of. A new area adds its kinds here. */
export const KINDS: { readonly [K in Kind]: KindRow & { readonly secret: readonly (keyof BodyOf<K>)[] } } = {
  token: { audited: true, secret: ['secret_sha256'] },
  role: { audited: true, secret: [] },
  settings: { audited: true, secret: [] },
  installation: { audited: true, secret: ['master_key_check'] },
  answer: { audited: false, secret: ['sealed'] },
  node: { audited: true, secret: [] },
  // What nodes report and what the coordinator concludes from it is no deed of anybody: events tell of it.
  report: { audited: false, secret: [] },
  liveness: { audited: false, secret: [] },
  drift: { audited: false, secret: [] },
  repair: { audited: false, secret: [] },
  rollback: { audited: false, secret: [] },
  assignment: { audited: false, secret: [] },
  route: { audited: false, secret: [] },
  overlap: { audited: false, secret: [] },
  placement: { audited: false, secret: [] },
  // A claim follows from the document that made it.
  claim: { audited: false, secret: [] },
  former_name: { audited: false, secret: [] },
  proof: { audited: false, secret: [] },
  operation: { audited: true, secret: [] },
  relay: { audited: true, secret: [] },
  ingress: { audited: true, secret: [] },
  // Every version is kept with its text; the trail says which it was.
  policy: { audited: true, secret: [], bulky: ['text'] },
  firewall: { audited: true, secret: [] },
};

export const KIND_NAMES = Object.keys(KINDS) as readonly Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

/** The document as the audit trail may show it. */
export function redacted(kind: Kind, body: object): Record<string, unknown> {
  const row: KindRow = KINDS[kind];
  const hidden = [...row.secret, ...(row.bulky ?? [])];
  return Object.fromEntries(Object.entries(body).filter(([field]) => !hidden.includes(field)));
}
