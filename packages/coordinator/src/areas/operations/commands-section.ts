import { COMMAND_KINDS, type Command, isOpen } from '@meshwork/contract';
import type { View } from '../../mesh/model.ts';
import type { OpenOperations } from '../../operations/open-operations.ts';
import type { SectionSource } from '../../views/section-source.ts';

/** What the node still has to do. An operation leaves the list when its result was reported. `open`: by node. */
export function commandsSection(view: View, open: OpenOperations): SectionSource<'commands'> {
  return {
    content: ({ id }) => [...open.of(id)].sort().flatMap((operation) => command(view, operation)),
    touchedBy: {
      operation: ({ before, after }, touch) => {
        for (const operation of [before, after]) if (operation !== undefined) touch.node(operation.body.node);
        // Even when there is nothing for the agent to do, its next heartbeat is needed to prove the operation.
        if (after !== undefined && isOpen(after.body.state)) touch.answer(after.body.node);
      },
    },
  };
}

function command(view: View, id: string): Command[] {
  const operation = view.get('operation', id)?.body;
  if (operation === undefined || !isOpen(operation.state)) return [];
  const kind = COMMAND_KINDS.find((known) => known === operation.kind);
  return kind === undefined ? [] : [{ id, kind }];
}
