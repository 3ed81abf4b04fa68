/** `traffic-counts.ts` has what they are. */

export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'other'] as const;
/** Ours, in seconds: from an answer out of memory to one that people have given up on. */
export const TIME_BOUNDS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Ours: those that one looks for. Others are in their class alone. 499: the client went before it had its answer. */
export const COUNTED_STATUSES = [400, 401, 403, 404, 408, 413, 421, 429, 499, 500, 502, 503, 504] as const;
export const MAX_COUNTED_STATUSES = 16;
/** Ours: routes of one gateway. */
export const MAX_TRAFFIC_COUNTS = 500;
