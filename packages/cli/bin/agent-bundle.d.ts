export const INPUTS: string;
export const ENTRY: string;
export function freshBundle(folder: string, root: string): string | undefined;
export function hashOf(file: string): string;
