import { defineArea } from '../../area.ts';
import { defineOperations, Strict } from '../../operation.ts';
import { Type } from '../../type.ts';
import { eventVocabulary } from './vocabulary.ts';

const eventOperations = defineOperations({
  'events.stream': {
    method: 'GET',
    path: '/v1/events',
    summary: 'Follow the event stream',
    description:
      'Server-sent events, those within your scope. `Last-Event-ID` (or `after`) resumes where an earlier stream broke off; without it the stream starts now. A comment every 15 seconds keeps the connection open. When what was missed is no longer kept, the first event is `reset`: read anew what you keep.',
    permission: 'events:read',
    reach: 'scoped',
    query: Strict({
      type: Type.Optional(
        Type.String({
          maxLength: 200,
          pattern: '^[a-z_.*,]+$',
          description: 'Only these, separated by commas, such as `node.joined` or `operation.*`.',
        }),
      ),
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: 'Only events after this one. `Last-Event-ID` wins over it.' }),
      ),
    }),
    answer: { status: 200, description: 'The stream.', schema: Type.String(), type: 'text/event-stream' },
    errors: [],
    example: {
      query: { type: 'node.*' },
      answer:
        'id: 42\nevent: node.joined\ndata: {"seq":42,"type":"node.joined","at":"2026-11-15T09:30:00.000Z","subject":{"kind":"node","id":"node_01jcqv6p0ee3xv9k7d0w8m2b4n"},"revision":1184,"data":{"name":"git-1","address":"100.64.0.7/32","state":"active"}}\n\n',
    },
  },
});

export const eventsArea = defineArea({
  name: 'events',
  title: 'Events',
  description: 'The live event stream.',
  ...eventVocabulary,
  operations: eventOperations,
});
