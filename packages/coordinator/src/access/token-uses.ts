import { newestOf } from './lineage.ts';

/**
 * The token that counts the nodes another one may still enrol: the last one that it was rotated to. While a rotated token
 * retires, both secrets work, and share one number.
 */
export const usesOf = newestOf;
