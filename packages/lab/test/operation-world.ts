import assert from 'node:assert/strict';
import { createClient } from '@meshwork/client';
import type {
  AuditEntry,
  EventRecord,
  NodeOperation,
  NodeOperationKind,
  NodeOperationState,
  SettingsPatch,
} from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { OPERATION_CASES } from './operation-cases.ts';
import { OperationScene, type Tokens } from './operation-scene.ts';
import { until } from './until.ts';

/** A coordinator, who asks it for things, and all that it tells. */
export class OperationWorld {
  readonly #mesh: TestCoordinator;
  readonly #tokens: Tokens;
  readonly #timeout_s: number | undefined;
  readonly #events: EventRecord[] = [];
  readonly #closing = new AbortController();
  readonly #listening: Promise<void>;

  private constructor(mesh: TestCoordinator, tokens: Tokens, timeout_s: number | undefined) {
    this.#mesh = mesh;
    this.#tokens = tokens;
    this.#timeout_s = timeout_s;
    this.#listening = this.#listen();
  }

  static async open(settings: SettingsPatch): Promise<OperationWorld> {
    const mesh = await TestCoordinator.start();
    const body = { api: { rate_per_s: 100_000, burst: 100_000 }, ...settings };
    await mesh.ask('PATCH', '/v1/settings', { body });
    const [operator, enroller] = [
      await mesh.token({ name: 'night shift', role: 'operator' }),
      await mesh.token({ name: 'newcomers', role: 'enroller' }),
    ];
    return new OperationWorld(mesh, { operator, enroller }, settings.operations?.timeout_s);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await this.#listening;
    await this.#mesh.close();
  }

  async scene(kind: NodeOperationKind): Promise<OperationScene> {
    const scene = await OperationScene.open(this.#mesh.url, this.#tokens, this.#timeout_s);
    try {
      await OPERATION_CASES[kind].prepare?.(scene);
      return scene;
    } catch (error) {
      await scene[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Asks for it, and sees that the asking is on record. */
  async ask(scene: OperationScene, kind: NodeOperationKind): Promise<NodeOperation> {
    const { action } = OPERATION_CASES[kind];
    const operation = await OPERATION_CASES[kind].ask(scene);
    const by = kind === 'enroll' ? this.#tokens.enroller.id : this.#tokens.operator.id;
    assert.deepEqual([operation.kind, operation.requested_by.kind, operation.requested_by.id], [kind, 'token', by]);
    const entry = (await this.#audit({ target: operation.node, action }))[0];
    assert.deepEqual([entry?.actor.id, entry?.outcome], [by, 'done']);
    assert.ok(entry?.changes.some((change) => change.kind === 'operation' && change.id === operation.id));
    await this.#assertReported(operation, 'asked');
    return operation;
  }

  async shown({ id }: NodeOperation): Promise<NodeOperation> {
    return (await this.#mesh.ask<NodeOperation>('GET', `/v1/operations/${id}`)).body;
  }

  async untilState(operation: NodeOperation, state: NodeOperationState): Promise<void> {
    let now = operation;
    await until(
      async () => {
        now = await this.shown(operation);
        return now.state === state;
      },
      () => `${state}, but ${JSON.stringify(now)}`,
    );
  }

  /** In the record of the operation, in the trail, and in the stream of events. */
  async assertEnded(asked: NodeOperation, state: NodeOperationState, reason?: RegExp): Promise<void> {
    const path = `/v1/operations/${asked.id}?wait=60`;
    const { body: operation } = await this.#mesh.ask<NodeOperation>('GET', path);
    assert.equal(operation.state, state, JSON.stringify(operation));
    assert.equal(operation.verified_at !== null, state === 'verified');
    assert.ok(operation.ended_at !== null && operation.waits_for === null);
    if (reason === undefined) assert.equal(operation.reason, null);
    else assert.match(operation.reason ?? '', reason);
    assert.deepEqual(operation.requested_by, asked.requested_by);
    await this.#assertEndAudited(operation);
    if (state === 'verified') await this.#assertReported(operation, 'verified');

    const ends = (event: EventRecord) => event.subject.id === asked.id && event.data.state === state;
    await this.#untilReported(ends, `${asked.id} is ${state}`);
    const event = this.#events.find(ends);
    assert.deepEqual([event?.data.reason, event?.data.node], [operation.reason, operation.node]);
    const states = this.reportedStates(asked);
    assert.deepEqual([states[0], states.at(-1), new Set(states).size], ['requested', state, states.length]);
  }

  reportedStates({ id }: NodeOperation): readonly unknown[] {
    return this.#events.filter(({ subject }) => subject.id === id).map(({ data }) => data.state);
  }

  /** By the node whose heartbeat ended it, or by the coordinator when other nodes proved it or none did. */
  async #assertEndAudited({ id, state, kind, node }: NodeOperation): Promise<void> {
    const isByNode = state === 'failed' || (state === 'verified' && OPERATION_CASES[kind].witness === 'node');
    const action = isByNode ? 'agents.heartbeat' : 'fleet.end_operations';
    const entries = await this.#audit(isByNode ? { target: node, action } : { action });
    const entry = entries.find(({ detail }) => detail?.includes(`${id} is ${state}`));
    assert.ok(entry !== undefined, `no ${action} has ${id} as ${state}`);
    assert.deepEqual([entry.actor.kind, isByNode ? entry.actor.id : node], [isByNode ? 'node' : 'system', node]);
  }

  async #audit(query: { target?: string; action: string }): Promise<readonly AuditEntry[]> {
    const search = new URLSearchParams({ limit: '200', ...query });
    return (await this.#mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?${search}`)).body.items;
  }

  async #assertReported({ kind, node }: NodeOperation, when: 'asked' | 'verified'): Promise<void> {
    const { tells } = OPERATION_CASES[kind];
    if (tells?.when !== when) return;
    await this.#untilReported(
      ({ type, subject }) => type === tells.type && subject.id === node,
      `${tells.type} of ${node}`,
    );
  }

  async #untilReported(isIt: (event: EventRecord) => boolean, what: string): Promise<void> {
    await until(
      () => this.#events.some(isIt),
      () => `reported: ${what}`,
    );
  }

  async #listen(): Promise<void> {
    const client = createClient({ url: this.#mesh.url, token: this.#tokens.operator.secret });
    try {
      for await (const event of client.events({ after: 0 }, { signal: this.#closing.signal })) {
        assert.ok(event.type !== 'reset');
        this.#events.push(event);
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) throw error;
    }
  }
}
