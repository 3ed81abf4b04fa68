import { carries } from '../../mesh/abilities.ts';
import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';

/** The one key of an index that is a mere set. */
const ALL = '';

/** Who uses which relay, and who waits for one: what keeps the cost of a change to what the change concerns. */
export class RelayIndexes {
  /** Nodes by the relay they are assigned to. */
  readonly assigned: IdIndex;
  /** Nodes by the relay that is their standby. */
  readonly standby: IdIndex;
  /** Members by the relay that an operator chose for them. */
  readonly pinned: IdIndex;
  /** Relays by the node that runs them. */
  readonly run: IdIndex;
  readonly #waiting: IdIndex;
  readonly #alone: IdIndex;

  constructor(model: Model) {
    this.assigned = new IdIndex(model, ['assignment'], (id) => {
      const assignment = model.get('assignment', id)?.body;
      return assignment === undefined ? [] : [assignment.relay];
    });
    this.standby = new IdIndex(model, ['assignment'], (id) => {
      const standby = model.get('assignment', id)?.body.standby ?? null;
      return standby === null ? [] : [standby];
    });
    this.#alone = new IdIndex(model, ['assignment'], (id) => {
      const assignment = model.get('assignment', id)?.body;
      return assignment === undefined || (assignment.standby ?? null) !== null ? [] : [ALL];
    });
    this.pinned = new IdIndex(model, ['node'], (id) => {
      const node = model.get('node', id)?.body;
      return node === undefined || !isMember(node) || node.pinned_relay === null ? [] : [node.pinned_relay];
    });
    this.run = new IdIndex(model, ['relay'], (id) => {
      const relay = model.get('relay', id)?.body;
      return relay === undefined || relay.node === null ? [] : [relay.node];
    });
    this.#waiting = new IdIndex(model, ['node', 'assignment', 'report'], (id) => {
      const node = model.get('node', id)?.body;
      if (node === undefined || !isMember(node) || !carries(model, id, 'relay')) return [];
      return model.get('assignment', id) === undefined ? [ALL] : [];
    });
  }

  /** Nodes that have a relay, and no standby. */
  get alone(): ReadonlySet<string> {
    return this.#alone.of(ALL);
  }

  /** Members that have no relay, and could use one. */
  get waiting(): ReadonlySet<string> {
    return this.#waiting.of(ALL);
  }
}
