/** What the coordinator knows of a kind of document beyond its shape. */
interface KindRow<Body> {
  /** Whether a change of it is an audit record: whether a token or a person did it. */
  readonly audited: boolean;
  /** Fields that never leave the store, not even into the audit trail. */
  readonly secret: readonly (keyof Body & string)[];
  /** Fields that are too long for the audit trail, and are kept for good elsewhere. */
  readonly bulky?: readonly (keyof Body & string)[];
  /** Whether operators decide it, so that an earlier state of it can be restored. What nodes report and what follows from it cannot. */
  readonly restorable: boolean;
}

export type KindRows<Documents> = { readonly [K in keyof Documents]: KindRow<Documents[K]> };
