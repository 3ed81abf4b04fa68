/** Operations on nodes, from their request to their proof. What proves which is in `operations/operation-kinds.ts`. */
import { covers, isOpen, MeshError, type Scope } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import { periodic } from '../../duties/duty.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';
import { operationRecord } from '../../operations/operation-record.ts';
import { resultOf } from '../../operations/operation-results.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers, Call, Reply } from '../handler.ts';
import { cancelOperation } from './cancel-operation.ts';
import { commandsSection } from './commands-section.ts';
import { EndOperations } from './end-operations.duty.ts';
import { forgetOperations } from './forget-operations.ts';
import { OperationEnds, untilEnded } from './operation-ends.ts';
import { operationSummary } from './operation-summary.ts';

export const operations: Area<'operations'> = {
  open: ({ model, open }) => ({
    sections: { commands: commandsSection(model, open) },
    serve: ({ mesh, views, statuses }) => {
      const ends = new OperationEnds(model);
      const end = new EndOperations(mesh, { open, views, statuses });
      return {
        handlers: handlersOf(mesh, ends),
        duties: [end, periodic('operations.forget', 3600, () => forgetOperations(mesh))],
        onHeartbeat: (_, { applied }) => {
          if (applied !== undefined) end.onHeartbeat();
        },
        overview: operationSummary,
        dismiss: () => ends.close(),
      };
    },
  }),
};

function handlersOf(mesh: Mesh, ends: OperationEnds): AreaHandlers<'operations'> {
  return {
    'operations.list': (call) => listOperations(mesh, call),
    'operations.show': async (call) => {
      const { id } = call.params;
      const operation = findOperation(mesh.model, id, call.actor.scope);
      const wait_s = call.query.wait ?? 0;
      if (wait_s > 0 && isOpen(operation.body.state)) {
        await untilEnded(ends, id, wait_s, call);
        call.ensureStillAllowed();
      }
      const shown = findOperation(mesh.model, id, call.actor.scope);
      const result = await resultOf(mesh.journal, shown);
      return { body: { ...operationRecord(shown), result }, revision: shown.revision };
    },
    'operations.cancel': (call) =>
      call.transact((tx, actor) => {
        const operation = findOperation(tx, call.params.id, actor.scope);
        const cancelled = cancelOperation(tx, operation, { actor, if_match: call.if_match });
        return { body: operationRecord(cancelled), revision: cancelled.revision };
      }),
  };
}

function listOperations(mesh: Mesh, call: Call<'operations.list'>): Reply<'operations.list'> {
  const { node, kind, state } = call.query;
  const isOn = (operation: Stored<'operation'>) => {
    if (node === undefined || operation.body.node === node) return true;
    // A name is that of the node that has it now; of one that is gone, the name it had.
    const holder = nodeNamed(mesh.model, node);
    return holder === undefined ? operation.body.node_name === node : holder.id === operation.body.node;
  };
  const body = pageById('operations.list', call.query, {
    walk: (after) => mesh.model.after('operation', after),
    keep: (operation: Stored<'operation'>) =>
      covers(call.actor.scope, operation.body.scope) &&
      isOn(operation) &&
      (kind === undefined || operation.body.kind === kind) &&
      (state === undefined || operation.body.state === state),
    show: operationRecord,
  });
  return { body };
}

/** The operation, if its node lay inside the scope of the caller when it was requested. */
function findOperation(view: View, id: string, scope: Scope): Stored<'operation'> {
  const operation = view.get('operation', id);
  const notThere = `There is no operation "${id}".`;
  if (operation === undefined) throw new MeshError('not_found', notThere);
  if (!covers(scope, operation.body.scope)) {
    throw new MeshError('not_found', notThere, { refused_as: 'outside_scope' });
  }
  return operation;
}
