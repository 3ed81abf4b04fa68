import { createHash } from 'node:crypto';
import { referenceStyle } from './reference/page.ts';

const styleHash = createHash('sha256').update(referenceStyle).digest('base64');

/** The reference page may load nothing but its inline style, and no page may frame it. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
