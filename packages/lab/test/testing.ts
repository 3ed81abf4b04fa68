/** What the tests of the CLI and the bench take from here. */
export { asRun, CERTIFICATES_PAGE_RUN, CertificatesPage, linesOf } from './certificates-page.ts';
export { UNIT_ENVIRONMENT, unitFlags, unitProgram } from './unit-program.ts';
