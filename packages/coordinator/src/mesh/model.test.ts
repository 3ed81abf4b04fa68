import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Changed, Model, type ModelWatch, type Put } from './model.ts';

const put = (id: string, description = 'x'): Put<'role'> => ({
  kind: 'role',
  id,
  body: { description, permissions: [] },
});
const news = (revision: number, ids: readonly string[], whole = false) => ({
  revision,
  whole,
  documents: ids.map((id) => ({ kind: 'role', id, revision, body: JSON.stringify(put(id).body) })),
});

/** Notes what the model is when it is notified of each change. */
class Witness implements ModelWatch {
  readonly seen: string[] = [];
  readonly #model: Model;

  constructor(model: Model) {
    this.#model = model;
    model.watch(this);
  }

  changed({ id, before, after }: Changed): void {
    this.seen.push(`${id} ${before?.revision ?? '-'}>${after?.revision ?? '-'} ${this.#state()}`);
  }
  settled(): void {
    this.seen.push(`settled ${this.#state()}`);
  }
  reset(): void {
    this.seen.push(`reset ${this.#state()}`);
  }

  #state(): string {
    return `at ${this.#model.revision} of ${this.#model.count('role')}`;
  }
}

const throwing: ModelWatch = {
  changed: () => {
    throw new Error('changed');
  },
  reset: () => {
    throw new Error('reset');
  },
};

describe('watchers of the model', () => {
  it('are notified once all transactions of a commit are in', () => {
    const model = new Model();
    const witness = new Witness(model);
    model.applyAll([
      { revision: 1, puts: [put('a'), put('b')] },
      { revision: 2, puts: [put('a', 'y')] },
    ]);
    assert.deepEqual(witness.seen, ['a ->1 at 2 of 2', 'b ->1 at 2 of 2', 'a 1>2 at 2 of 2', 'settled at 2 of 2']);
  });

  it('are notified once all news of others are in', () => {
    const model = new Model();
    const witness = new Witness(model);
    model.catchUp(news(5, ['a', 'b']));
    model.catchUp(news(9, ['c'], true));
    assert.deepEqual(witness.seen, ['a ->5 at 5 of 2', 'b ->5 at 5 of 2', 'settled at 5 of 2', 'reset at 9 of 1']);
  });

  for (const [how, change] of [
    ['its own commit', (model: Model) => model.applyAll([{ revision: 1, puts: [put('a'), put('b')] }])],
    ['news', (model: Model) => model.catchUp(news(1, ['a', 'b']))],
    ['everything anew', (model: Model) => model.catchUp(news(1, ['a', 'b'], true))],
  ] as const) {
    it(`that throw at ${how} keep neither the model nor the others from it, and are reported once`, () => {
      const model = new Model();
      const failures: unknown[] = [];
      model.onFailure((error) => failures.push(error));
      model.watch(throwing);
      const witness = new Witness(model);
      change(model);
      assert.equal(model.count('role'), 2);
      assert.equal(model.revision, 1);
      assert.match(witness.seen.at(-1) ?? '', /at 1 of 2$/);
      assert.equal(failures.length, 1);
      assert.equal(model.hasFailed, true);
      model.onFailure((error) => failures.push(error));
      assert.equal(failures[1], failures[0], 'a late listener gets it too');
    });
  }

  it('hear nothing of news of which one document is broken, and the model stays as it was', () => {
    const model = new Model();
    const witness = new Witness(model);
    const broken = { kind: 'role', id: 'b', revision: 3, body: '{' };
    assert.throws(() => model.catchUp({ ...news(3, ['a']), documents: [...news(3, ['a']).documents, broken] }));
    assert.deepEqual([model.revision, model.count('role'), witness.seen], [0, 0, []]);
  });

  it('hear nothing of kinds that this version does not know, however they arrive', () => {
    const model = new Model();
    const witness = new Witness(model);
    const unknown = ['wish', '__proto__', 'toString'].map((kind) => ({
      kind,
      id: 'x',
      revision: 1,
      body: '{}',
    }));
    model.fill(unknown);
    model.catchUp({
      revision: 2,
      whole: false,
      documents: [...unknown, ...unknown.map((one) => ({ ...one, body: null }))],
    });
    model.catchUp({ revision: 3, whole: true, documents: unknown });
    assert.deepEqual(witness.seen, ['settled at 2 of 0', 'reset at 3 of 0']);
  });
});
