import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { IdIndex } from './id-index.ts';
import { Model } from './model.ts';

/** Nodes by their relay. */
function assignedNodes(model: Model): IdIndex {
  return new IdIndex(model, ['assignment'], (id) => {
    const assignment = model.get('assignment', id)?.body;
    return assignment === undefined ? [] : [assignment.relay];
  });
}

describe('ids by a key', () => {
  it('are what a walk over everything would find, whatever came, moved and went', () => {
    const id = fc.constantFrom('n1', 'n2', 'n3', 'n4');
    const relay = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.option(relay))), (changes) => {
        const model = new Model();
        const index = assignedNodes(model);
        for (const [at, [node, to]] of changes.entries()) {
          model.apply(at + 1, [
            { kind: 'assignment', id: node, body: to === null ? null : { relay: to, measured: true } },
          ]);
        }
        const walked = Map.groupBy(model.all('assignment'), ({ body }) => body.relay);
        assert.deepEqual([...index.keys()].sort(), [...walked.keys()].sort());
        for (const [name, nodes] of walked) {
          assert.deepEqual([...index.of(name)].sort(), nodes.map((one) => one.id).sort());
        }
      }),
    );
  });

  it('start from what is there, and start anew when everything may be different', () => {
    const model = new Model();
    model.apply(1, [{ kind: 'assignment', id: 'n1', body: { relay: 'a', measured: true } }]);
    const index = assignedNodes(model);
    assert.deepEqual([...index.of('a')], ['n1']);
    const body = JSON.stringify({ relay: 'b' });
    model.catchUp({ revision: 9, whole: true, documents: [{ kind: 'assignment', id: 'n2', revision: 9, body }] });
    assert.deepEqual([[...index.of('a')], [...index.of('b')]], [[], ['n2']]);
  });
});
