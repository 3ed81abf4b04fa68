/** `[what, over]`: a file or folder in the place of another. */
export type Mount = readonly [what: string, over: string];

const MOUNTING = 'while [ "$1" != -- ]; do mount --rbind "$1" "$2"; shift 2; done; shift; exec "$@"';

/**
 * What to run on a node so that a command finds other files there, and no other process does: `ip netns exec` has given it file
 * systems of its own. Mounts are made in order, so that one can be within another.
 */
export function mounted(mounts: readonly Mount[], command: readonly string[]): [string, ...string[]] {
  return ['sh', '-e', '-c', MOUNTING, 'sh', ...mounts.flat(), '--', ...command];
}
