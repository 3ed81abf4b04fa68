/**
 * `mesh`, the command-line program.
 *
 * Below is every command there is. A new one is a file `commands/<noun>/<verb>.ts` that exports a function making its
 * `Command`, and a line here. `session.ts` gives a command its client and its output; `config.ts` reads settings,
 * `exit-codes.ts` says how the program can end, and `report-failure.ts` how it says why.
 */
import { AREAS } from '@meshwork/contract';
import { auditExport } from './commands/audit/export.ts';
import { auditList } from './commands/audit/list.ts';
import { auditVerify } from './commands/audit/verify.ts';
import { coordinator } from './commands/coordinator.ts';
import { openapi } from './commands/openapi.ts';
import { tokenCreate } from './commands/token/create.ts';
import { tokenList } from './commands/token/list.ts';
import { tokenRevoke } from './commands/token/revoke.ts';
import { tokenRotate } from './commands/token/rotate.ts';
import { tokenShow } from './commands/token/show.ts';
import { up } from './commands/up.ts';
import { whoami } from './commands/whoami.ts';
import { endQuietlyWithoutReader } from './output.ts';
import { noun, program } from './program.ts';
import { reportFailure } from './report-failure.ts';

const mesh = program([
  up(),
  coordinator(),
  whoami(),
  noun('token', AREAS.tokens?.description, [tokenCreate(), tokenList(), tokenShow(), tokenRotate(), tokenRevoke()]),
  noun('audit', AREAS.audit?.description, [auditList(), auditExport(), auditVerify()]),
  openapi(),
]);

endQuietlyWithoutReader();
try {
  await mesh.parseAsync();
} catch (error) {
  process.exit(reportFailure(error, { json: mesh.opts().json === true })); // at once: a service may have left something open
}
