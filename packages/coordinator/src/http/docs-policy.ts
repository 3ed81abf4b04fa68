import { createHash } from 'node:crypto';
import { referenceStyle } from './reference/page.ts';

const styleHash = createHash('sha256').update(referenceStyle).digest('base64');

/** The reference page may load nothing but the style that stands in it, and nobody may put it into a frame. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
