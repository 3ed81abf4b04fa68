/** Networks behind nodes. They are offered, approved and shown with their node, so the area has events and no operation. */

import { defineArea } from '../../area.ts';
import { maybe } from '../../maybe.ts';
import { Strict } from '../../operation.ts';
import { Type } from '../../type.ts';

export const routesArea = defineArea({
  name: 'routes',
  events: {
    'route.moved': {
      summary: 'A network is reached through another node',
      data: Strict({
        cidr: Type.String({ description: 'The network.' }),
        from: maybe(Type.String(), 'Name of the old node. Null: none.'),
        to: maybe(Type.String(), 'Name of the new node. Null: none.'),
      }),
    },
    'route.overlapped': {
      summary: 'A network overlaps one that is approved in another boundary',
      data: Strict({
        cidr: Type.String({ description: 'The network, as it is approved in this boundary.' }),
        nodes: Type.Array(Type.String(), { description: 'Names of the nodes of this boundary that have it.' }),
      }),
    },
    'route.overlap_ended': {
      summary: 'A network no longer overlaps one of another boundary',
      data: Strict({ cidr: Type.String({ description: 'The network.' }) }),
    },
  },
});
