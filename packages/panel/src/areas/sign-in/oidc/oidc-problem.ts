/**
 * Why signing in by the provider failed, as the sign-in page is told: `/sign-in?problem=<code>`. Only ever one of these, so that
 * nothing a provider or a stranger says gets into an address or onto the page. The detail goes to the log and the trail.
 */
const OIDC_PROBLEMS = {
  provider_unavailable: 'The provider does not answer.',
  provider_refused: 'The provider or the person themselves said no.',
  provider_answer_invalid: 'What came back does not belong to a sign-in that this browser began, or cannot be trusted.',
  no_role: 'None of the groups of the person has a role here.',
  name_taken: 'Somebody else has the name already, and was not made by the provider.',
  name_unusable: 'The provider gives no name that can be used here.',
  account_disabled: 'The person cannot sign in until somebody enables them again.',
  panel_unavailable: 'The panel itself could not finish it.',
} as const;

type OidcProblemCode = keyof typeof OIDC_PROBLEMS;

export class OidcProblem extends Error {
  readonly code: OidcProblemCode;
  /** Whether the trail has it. */
  recorded = false;

  constructor(code: OidcProblemCode, options: ErrorOptions = {}) {
    super(OIDC_PROBLEMS[code], options);
    this.name = 'OidcProblem';
    this.code = code;
  }
}

/** For the log, without what a provider or a person sent along. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  // One of the protocol's own words, such as `invalid_client`; the description beside it is anybody's text.
  const said = 'error' in error && /^[a-z_]{1,40}$/.test(String(error.error)) ? ` ${String(error.error)}` : '';
  return `${error.message}${code}${said}${error.cause instanceof Error ? `: ${reasonOf(error.cause)}` : ''}`;
}
