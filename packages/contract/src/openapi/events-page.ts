import { EVENT_TYPES, EVENTS } from '../events.ts';
import { table } from './markdown.ts';

/** `docs/api/events.md`. */
export function eventsPage(): string {
  return `# Events

What \`GET /v1/events\` streams: server-sent events, each with its number as \`id\`, its type as \`event\`, and
as \`data\` a record with \`seq\`, \`type\`, \`at\`, \`subject\`, \`revision\` and \`data\`. A caller receives the events within its scope.
\`Last-Event-ID\` resumes where an earlier stream broke off; \`event: reset\` says that what was missed is no longer kept.

${table(
  ['type', 'what happened', 'data'],
  EVENT_TYPES.map((type) => [
    `\`${type}\``,
    EVENTS[type].summary,
    Object.keys(EVENTS[type].data.properties)
      .map((field) => `\`${field}\``)
      .join(', '),
  ]),
)}
`;
}
