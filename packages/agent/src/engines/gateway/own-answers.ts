import { block, type Directive, directive, withVariables } from './nginx-text.ts';

/** What nginx itself answers when no node does. */
export function answers(): readonly Directive[] {
  const none = directive('return', 503, withVariables('No node of service $mesh_service answers.'));
  const texts = [
    [502, withVariables('Service $mesh_service did not answer as it should.')],
    [504, withVariables('Service $mesh_service did not answer in time.')],
  ] as const;
  const pages = texts.map(([status, text]) =>
    block(
      'location',
      [`@answer_${status}`],
      [
        directive('default_type', 'text/plain'),
        directive('add_header', 'Cache-Control', 'no-store', 'always'),
        // Without a node to ask, nginx itself comes here with 502.
        block('if', [withVariables('($mesh_peer'), '=', '', ')'], [none]),
        directive('return', status, text),
      ],
    ),
  );
  return [...ERROR_PAGES, ...pages];
}

/** Repeated where a location has one more: it inherits none then. */
export const ERROR_PAGES = [502, 504].map((status) => directive('error_page', status, '=', `@answer_${status}`));
