/** What is where in the folder of the gateway. All of it is named by its content, or belongs to the agent alone. */
export const WAF_FOLDER = 'waf';
const RULES = 'rules-';
const POLICIES = 'policies-';
const POLICY = 'policy-';

export const WAF_FILES = {
  /** Which rule set was last found to be good. */
  good: `${WAF_FOLDER}/good.json`,
  /** Events that the coordinator has not answered for, and up to where the log was read. */
  events: `${WAF_FOLDER}/events.json`,
  trial: `${WAF_FOLDER}/trial.conf`,
  trial_rules: `${WAF_FOLDER}/trial-rules.conf`,
  trial_pid: `${WAF_FOLDER}/trial.pid`,
} as const;

export function ruleSetFolder(digest: string): string {
  return `${WAF_FOLDER}/${RULES}${digest}`;
}

/** What nginx loads. */
export function policiesFile(digest: string): string {
  return `${WAF_FOLDER}/${POLICIES}${digest}.conf`;
}

/** The last good form of a policy. */
export function policyFile(id: string): string {
  return `${WAF_FOLDER}/${POLICY}${id}.json`;
}

/** Another one when the one before was taken away or replaced: workers of nginx write into what they have opened. */
export function auditLogFile(number: number): string {
  return `${WAF_FOLDER}/audit-${number}.log`;
}

/** Files and folders that are there for what serves, by their names within the folder. */
export function isSwept(name: string): boolean {
  return name.startsWith(RULES) || name.startsWith(POLICIES) || name.startsWith(POLICY) || name.startsWith('audit-');
}
