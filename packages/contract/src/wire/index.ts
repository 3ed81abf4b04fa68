/**
 * The tables of operations without their schemas: what the client calls by. `npm run generate` writes them from the full
 * tables (`operations.ts`, `panel/panel-operations.ts`), whose types are free at run time.
 */
export { PANEL_WIRE_OPERATIONS, WIRE_OPERATIONS } from './generated/operations.ts';
export { isRepeatable, type WireOperation } from './wire-operation.ts';
