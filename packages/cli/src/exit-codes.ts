/** What scripts read. Shown in `mesh --help`; a number never changes its meaning. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed' },
  usage: { code: 2, meaning: 'wrong usage or configuration' },
  refused: { code: 3, meaning: 'not signed in or not permitted' },
  not_found: { code: 4, meaning: 'not found' },
  conflict: { code: 5, meaning: 'conflict with the current state' },
  temporary: { code: 6, meaning: 'unreachable or temporary: trying again later may work' },
  chain_broken: { code: 7, meaning: 'the audit chain is broken' },
  unproven: { code: 8, meaning: 'the operation ended without being verified' },
  under_way: { code: 9, meaning: 'the operation is still in progress' },
  denied: { code: 10, meaning: '`mesh explain`: it cannot be reached' },
  unknown: { code: 11, meaning: '`mesh explain`: it is not known whether it can be reached' },
  unfit: { code: 12, meaning: '`mesh agent`: this machine lacks what an agent needs' },
  gone: { code: 13, meaning: '`mesh agent`: the node was removed, or another agent runs as it' },
  waf_blocked: { code: 14, meaning: '`mesh waf test`: the request is refused' },
  waf_detected: { code: 15, meaning: '`mesh waf test`: the request would be refused in the mode block' },
  outside_faults: {
    code: 16,
    meaning: '`mesh ingress check`: people outside do not reach it, or not at every address',
  },
  outside_unproven: { code: 17, meaning: '`mesh ingress check`: it is not proven that people outside reach it' },
} as const;

export type Exit = keyof typeof EXIT_CODES;

/** How a status of the API ends the program. Whatever is not here has failed. */
const EXIT_OF_STATUS: Readonly<Record<number, Exit>> = {
  401: 'refused',
  403: 'refused',
  404: 'not_found',
  409: 'conflict',
  412: 'conflict',
  422: 'usage',
};

export function exitOfStatus(status: number, retryable: boolean): Exit {
  return EXIT_OF_STATUS[status] ?? (retryable ? 'temporary' : 'failed');
}

export function exitCodeHelp(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(2)}  ${meaning}`);
  return ['Exit codes:', ...rows].join('\n');
}
