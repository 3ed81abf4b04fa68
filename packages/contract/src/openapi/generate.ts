/** The files that are derived from the contract and kept in the repository: what people read there, and the light tables. */
import { answersSource } from '../answers/generate-answers.ts';
import { wireSource } from '../wire/generate-wire.ts';
import { openApiDocument } from './document.ts';
import { panelOpenApiDocument } from './panel-document.ts';
import { errorsPage, eventsPage, permissionsPage } from './reference-pages.ts';

interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly content: string;
}

export function generatedFiles(): readonly GeneratedFile[] {
  return [
    { path: 'docs/api/openapi.json', content: `${JSON.stringify(openApiDocument(), null, 2)}\n` },
    { path: 'docs/api/panel-openapi.json', content: `${JSON.stringify(panelOpenApiDocument(), null, 2)}\n` },
    { path: 'docs/api/errors.md', content: errorsPage() },
    { path: 'docs/api/permissions.md', content: permissionsPage() },
    { path: 'docs/api/events.md', content: eventsPage() },
    { path: 'packages/contract/src/wire/generated/operations.ts', content: wireSource() },
    { path: 'packages/contract/src/answers/generated/answers.ts', content: answersSource() },
  ];
}
